; `jimmy`: loops can be cut out of a safe line, so the ban on visiting a cell twice never changes the verdict.
;
; Jimmy was at (i0, j0) and a ghost at (r0, c0), just after the ghosts had moved; t safe turns later he is at (i, j) and
; the ghost at (r, c). The invariant below holds at t = 0, and each safe turn preserves it, so it holds at every t. When
; Jimmy is back at (i0, j0), it implies that the ghost's cell now dominates its cell then. By `jimmy-dominance.smt2`, his later
; moves would have been safe then as well.

(set-logic QF_LIA)

(declare-const i0 Int) (declare-const j0 Int) (declare-const r0 Int) (declare-const c0 Int)
(declare-const t Int)
(declare-const i Int) (declare-const j Int) (declare-const r Int) (declare-const c Int)
(declare-const ni Int) (declare-const nj Int)   ; Jimmy after his next step

; Rules 2 and 4, as in `jimmy-dominance.smt2`.
(define-fun row-after ((gr Int) (gc Int) (jimmy-row Int) (jimmy-col Int)) Int
  (ite (not (= gc jimmy-col)) gr (ite (< gr jimmy-row) (+ gr 1) (ite (> gr jimmy-row) (- gr 1) gr))))
(define-fun col-after ((gc Int) (jimmy-col Int)) Int
  (ite (< gc jimmy-col) (+ gc 1) (ite (> gc jimmy-col) (- gc 1) gc)))
(define-fun nr () Int (row-after r c ni nj))
(define-fun nc () Int (col-after c nj))
(define-fun steps () Bool
  (or (and (= ni i) (or (= nj (+ j 1)) (= nj (- j 1))))
      (and (= nj j) (or (= ni (+ i 1)) (= ni (- i 1))))))
(define-fun safe-turn () Bool
  (and steps
       (not (and (= ni r) (= nj c)))
       (not (and (= nr ni) (= nc nj)))))

; Ghost and Jimmy both move by one cell a turn.
(define-fun parity-kept ((at-i Int) (at-j Int) (at-r Int) (at-c Int)) Bool
  (= (mod (+ at-i at-j at-r at-c) 2) (mod (+ i0 j0 r0 c0) 2)))
; It still approaches from the left or the right; or it is above or below him in his column, in row r0
; or one on his side of it.
(define-fun course ((turns Int) (at-i Int) (at-j Int) (at-r Int) (at-c Int)) Bool
  (or (and (= at-r r0) (= at-c (+ c0 turns)) (< at-c at-j))
      (and (= at-r r0) (= at-c (- c0 turns)) (> at-c at-j))
      (and (= at-c at-j) (< at-r at-i) (>= at-r r0))
      (and (= at-c at-j) (> at-r at-i) (<= at-r r0))))
(define-fun invariant ((turns Int) (at-i Int) (at-j Int) (at-r Int) (at-c Int)) Bool
  (and (parity-kept at-i at-j at-r at-c) (course turns at-i at-j at-r at-c)))

; Dominance, as in `jimmy-dominance.smt2`.
(define-fun dominates ((jr Int) (jc Int) (ar Int) (ac Int) (br Int) (bc Int)) Bool
  (and (= (mod (+ ar ac) 2) (mod (+ br bc) 2))
       (or (and (= ac jc) (< ar jr) (<= br ar))
           (and (= ac jc) (> ar jr) (>= br ar))
           (and (< bc jc) (< ac jc) (= ar br) (>= ac bc))
           (and (> bc jc) (> ac jc) (= ar br) (<= ac bc)))))

; The invariant holds at the beginning.
(push 1)
(assert (not (and (= i0 r0) (= j0 c0))))
(push 1) (set-info :status sat) (check-sat) (pop 1)
(assert (not (invariant 0 i0 j0 r0 c0)))
(set-info :status unsat) (check-sat)
(pop 1)

; Each safe turn preserves it.
(push 1)
(assert (>= t 0))
(assert (invariant t i j r c))
(assert safe-turn)
(push 1) (set-info :status sat) (check-sat) (pop 1)
(assert (not (invariant (+ t 1) ni nj nr nc)))
(set-info :status unsat) (check-sat)
(pop 1)

; When Jimmy is back at his first cell, the ghost's cell dominates its first one.
(push 1)
(assert (> t 0))
(assert (= i i0)) (assert (= j j0))
(push 1)
(assert (invariant t i j r c))
(push 1) (set-info :status sat) (check-sat) (pop 1)
(assert (not (dominates i j r c r0 c0)))
(set-info :status unsat) (check-sat)
(pop 1)
; Without parity, this would not follow.
(push 1)
(assert (course t i j r c))
(assert (not (dominates i j r c r0 c0)))
(set-info :status sat) (check-sat)
(pop 1)
(pop 1)
