; `baddies`: for every cell that one of the nine keys leads to, the key that points at that cell leads there too, and
; another key leads back. So the hero can move to his own cell and to those of the eight around it that are not
; walls, and a search for the ladder may start from the ladder.
;
; The board is any rectangle; `wall` is any set of cells.

(set-logic QF_UFLIA)

(declare-const rows Int) (declare-const cols Int)
(declare-fun wall (Int Int) Bool)
(declare-const r Int) (declare-const c Int)     ; the hero
(declare-const dr Int) (declare-const dc Int)   ; the key: change of row and column

(define-fun inside ((at Int) (size Int)) Bool (and (>= at 0) (< at size)))
(define-fun unit ((d Int)) Bool (and (>= d (- 1)) (<= d 1)))

; Rule 2: a change that leaves the board is dropped, separately for rows and columns.
(define-fun kept ((at Int) (by Int) (size Int)) Int (ite (inside (+ at by) size) by 0))
; Then the column change is dropped if the cell is blocked, then the row change.
(define-fun row-change ((ar Int) (ac Int) (by-r Int) (by-c Int)) Int
  (let ((kr (kept ar by-r rows)) (kc (kept ac by-c cols)))
    (ite (and (wall (+ ar kr) (+ ac kc)) (wall (+ ar kr) ac)) 0 kr)))
(define-fun col-change ((ar Int) (ac Int) (by-r Int) (by-c Int)) Int
  (let ((kr (kept ar by-r rows)) (kc (kept ac by-c cols)))
    (ite (wall (+ ar kr) (+ ac kc)) 0 kc)))

(define-fun to-r () Int (+ r (row-change r c dr dc)))
(define-fun to-c () Int (+ c (col-change r c dr dc)))

(assert (and (inside r rows) (inside c cols) (not (wall r c)) (unit dr) (unit dc)))

; On some board a change is dropped, so the claims are not vacuous.
(push 1)
(assert (not (and (= to-r (+ r dr)) (= to-c (+ c dc)))))
(set-info :status sat) (check-sat) (pop 1)

; He lands inside the board, not on a wall, at most one row and one column away.
(push 1)
(assert (not (and (inside to-r rows) (inside to-c cols) (not (wall to-r to-c))
                  (unit (- to-r r)) (unit (- to-c c)))))
(set-info :status unsat) (check-sat) (pop 1)

; The key that points there leads there.
(push 1)
(assert (not (and (= (row-change r c (- to-r r) (- to-c c)) (- to-r r))
                  (= (col-change r c (- to-r r) (- to-c c)) (- to-c c)))))
(set-info :status unsat) (check-sat) (pop 1)

; The key that points back leads back.
(push 1)
(assert (not (and (= (row-change to-r to-c (- r to-r) (- c to-c)) (- r to-r))
                  (= (col-change to-r to-c (- r to-r) (- c to-c)) (- c to-c)))))
(set-info :status unsat) (check-sat) (pop 1)

; A key that points at a wall need not lead there.
(push 1)
(declare-const wr Int) (declare-const wc Int)
(assert (and (inside wr rows) (inside wc cols) (wall wr wc) (unit (- wr r)) (unit (- wc c))))
(assert (not (and (= (row-change r c (- wr r) (- wc c)) (- wr r))
                  (= (col-change r c (- wr r) (- wc c)) (- wc c)))))
(set-info :status sat) (check-sat) (pop 1)
