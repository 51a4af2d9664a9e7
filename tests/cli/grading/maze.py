def move_algo(maze, runner_id, size_m, size_n):
    def at(x, y):
        return maze[x * size_n + y]

    cells = [(x, y) for x in range(size_m) for y in range(size_n)]
    head = next((cell for cell in cells if at(*cell) == 2 * runner_id), None)
    if head is None:
        return -1
    foods = [cell for cell in cells if at(*cell) == -1]
    h = {(x, y): min((abs(x - i) + abs(y - j) for i, j in foods), default=0) for x, y in cells}
    cost = {cell: 0 for cell in cells}
    visited, previous, opened = set(), {}, {head}

    def around(cell):
        x, y = cell
        for direction, (dx, dy) in enumerate([(-1, 0), (0, 1), (1, 0), (0, -1)]):
            i, j = x + dx, y + dy
            if 0 <= i < size_m and 0 <= j < size_n and at(i, j) in (0, -1):
                yield direction, (i, j)

    while opened:
        cell = min(opened, key=lambda one: (cost[one] + h[one], one))
        if at(*cell) == -1:
            while previous[cell] != head:
                cell = previous[cell]
            return next(direction for direction, other in around(head) if other == cell)
        visited.add(cell)
        opened.remove(cell)
        for _, other in around(cell):
            if other not in visited or cost[cell] + 1 < cost[other]:
                opened.add(other)
                cost[other] = cost[cell] + 1
                previous[other] = cell
    return next((direction for direction, _ in around(head)), -1)
