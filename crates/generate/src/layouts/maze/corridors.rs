//! The corridors of a maze: its nodes, which are the cells with even coordinates, and the open cells between them.

use crate::layout::Plan;
use crate::sketch::Mirror;
use crate::spanning::spanning_tree;
use getaway_board::bits::Bits;
use getaway_board::grid::{Cell, Dir, Grid};
use getaway_board::rng::Rng;

pub struct Corridors {
    grid: Grid,
    mirror: Mirror,
    open: Bits,
    /// The parent of each cell in a union-find forest; a root is its own parent.
    joined: Vec<Cell>,
}

impl Corridors {
    /// Draws a maze that `mirror` maps to itself: opens the nodes, the cells that join separate parts, and some others. Returns
    /// `None` if some parts stay separate.
    pub fn draw(plan: &Plan, mirror: Mirror, rng: &mut Rng) -> Option<Self> {
        let grid = plan.grid();
        let mut maze = Self {
            grid,
            mirror,
            open: Bits::new(grid),
            joined: grid.cells().collect(),
        };
        let is_first = |cell: &Cell| *cell <= mirror.image(grid, *cell);
        let nodes = grid.cells().filter(|&cell| is_node(grid, cell));
        for node in nodes.filter(is_first) {
            maze.open(node);
        }
        maze.open_centre();
        let [mut first, mut then] = edges(grid, rng);
        rng.shuffle(&mut first);
        rng.shuffle(&mut then);
        let mut cells: Vec<Cell> = first.into_iter().chain(then).collect();
        cells.retain(is_first);
        // A cell and its image open together, so some cells join parts only in a second round.
        for &cell in cells.iter().chain(&cells) {
            if maze.joins(cell) {
                maze.open(cell);
            }
        }
        let gaps = gaps(plan, rng);
        for &cell in &cells {
            if !maze.open.contains(cell) && rng.chance(gaps) {
                maze.open(cell);
            }
        }
        maze.is_whole().then_some(maze)
    }

    /// Opens the four cells in the centre, the only way across the middle if the symmetry is a half turn about the corner of four
    /// cells.
    fn open_centre(&mut self) {
        let (rows, cols) = (self.grid.rows(), self.grid.cols());
        if self.mirror == Mirror::HalfTurn && rows % 2 == 0 && cols % 2 == 0 {
            let beside = [cols / 2 - 1, cols / 2].map(|col| self.grid.cell(rows / 2 - 1, col));
            for cell in beside.into_iter().flatten() {
                self.open(cell);
            }
        }
    }

    pub fn walls(&self) -> Vec<Cell> {
        let cells = self.grid.cells();
        cells.filter(|&cell| !self.open.contains(cell)).collect()
    }

    fn orbit(&self, cell: Cell) -> [Cell; 2] {
        [cell, self.mirror.image(self.grid, cell)]
    }

    fn open(&mut self, cell: Cell) {
        for cell in self.orbit(cell) {
            self.open.insert(cell);
            for root in self.roots_beside(cell) {
                let (own, other) = (self.root(cell), self.root(root));
                self.joined[own.index()] = other;
            }
        }
    }

    fn joins(&self, cell: Cell) -> bool {
        let [cell, image] = self.orbit(cell);
        let [own, other] = [cell, image].map(|cell| self.roots_beside(cell));
        let differ = |roots: &[Cell]| roots.windows(2).any(|pair| pair[0] != pair[1]);
        let differ = if self.grid.distance(cell, image) == 1 {
            differ(&[own, other].concat())
        } else {
            differ(&own) || differ(&other)
        };
        differ && !self.open.contains(cell)
    }

    fn roots_beside(&self, cell: Cell) -> Vec<Cell> {
        let neighbours = self.grid.neighbours(cell).map(|(_, to)| to);
        let open = neighbours.filter(|&to| self.open.contains(to));
        open.map(|to| self.root(to)).collect()
    }

    fn root(&self, cell: Cell) -> Cell {
        let mut at = cell;
        while self.joined[at.index()] != at {
            at = self.joined[at.index()];
        }
        at
    }

    fn is_whole(&self) -> bool {
        let mut open = self.grid.cells().filter(|&cell| self.open.contains(cell));
        let first = open.next().map(|cell| self.root(cell));
        open.all(|cell| Some(self.root(cell)) == first)
    }
}

pub fn is_node(grid: Grid, cell: Cell) -> bool {
    let (row, col) = grid.position(cell);
    row % 2 == 0 && col % 2 == 0
}

pub fn pillars(grid: Grid) -> impl Iterator<Item = Cell> {
    grid.cells()
        .filter(move |&cell| grid.row(cell) % 2 == 1 && grid.col(cell) % 2 == 1)
}

/// Returns the cells between neighbouring nodes: those in the corridors of a random maze, then the others.
pub fn edges(grid: Grid, rng: &mut Rng) -> [Vec<Cell>; 2] {
    let half = |size: u32| size.div_ceil(2) as usize;
    let nodes = Grid::new(half(grid.rows()), half(grid.cols())).expect("half a grid is a grid");
    let tree = spanning_tree(nodes, rng);
    let mut edges = [Vec::new(), Vec::new()];
    for node in nodes.cells() {
        for dir in [Dir::Right, Dir::Down] {
            if nodes.step(node, dir).is_some() {
                let (row, col) = nodes.position(node);
                let at = grid.cell(2 * row, 2 * col).expect("nodes are on the grid");
                let is_wall = !tree.contains(&(node, dir));
                edges[usize::from(is_wall)].extend(grid.step(at, dir));
            }
        }
    }
    edges
}

/// Returns the probability that a piece of wall is missing; 0 if a wall density is given.
pub fn gaps(plan: &Plan, rng: &mut Rng) -> f64 {
    match plan.density {
        Some(_) => 0.0,
        None => 0.1 + 0.25 * rng.uniform(),
    }
}
