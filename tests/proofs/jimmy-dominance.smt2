; `jimmy`: a walk that is safe from a ghost T is safe from each ghost S that T dominates.
;
; One step of play in the open plane, seen just after the ghosts have moved: Jimmy is at (i, j) and steps to
; (ni, nj); T and S answer. There is no edge and no solid: an edge and solids only take steps away from Jimmy.
; By induction over the steps of a walk, a walk that is safe from T is safe from S.
;
; The negation of each claim must be `unsat`. The premises alone, and the claim without the condition on parity, must be
; `sat`, so no claim holds vacuously.

(set-logic QF_LIA)

(declare-const i Int) (declare-const j Int)     ; Jimmy, row and column
(declare-const ni Int) (declare-const nj Int)   ; Jimmy after his step
(declare-const tr Int) (declare-const tc Int)   ; the ghost T
(declare-const sr Int) (declare-const sc Int)   ; the ghost S

; Rule 2: a ghost that is not in Jimmy's column moves by a column towards him, else by a row.
(define-fun row-after ((r Int) (c Int) (jimmy-row Int) (jimmy-col Int)) Int
  (ite (not (= c jimmy-col)) r (ite (< r jimmy-row) (+ r 1) (ite (> r jimmy-row) (- r 1) r))))
(define-fun col-after ((c Int) (jimmy-col Int)) Int
  (ite (< c jimmy-col) (+ c 1) (ite (> c jimmy-col) (- c 1) c)))

(define-fun ntr () Int (row-after tr tc ni nj))
(define-fun ntc () Int (col-after tc nj))
(define-fun nsr () Int (row-after sr sc ni nj))
(define-fun nsc () Int (col-after sc nj))

; Rule 4: up, down, left or right.
(define-fun steps () Bool
  (or (and (= ni i) (or (= nj (+ j 1)) (= nj (- j 1))))
      (and (= nj j) (or (= ni (+ i 1)) (= ni (- i 1))))))

; Dominance: T is in Jimmy's column, and S is in T's row or beyond it as seen from Jimmy; or both are in one row on
; the same side, and T is no further away.
(define-fun related ((jr Int) (jc Int) (ar Int) (ac Int) (br Int) (bc Int)) Bool
  (or (and (= ac jc) (< ar jr) (<= br ar))
      (and (= ac jc) (> ar jr) (>= br ar))
      (and (< bc jc) (< ac jc) (= ar br) (>= ac bc))
      (and (> bc jc) (> ac jc) (= ar br) (<= ac bc))))
(define-fun same-parity ((ar Int) (ac Int) (br Int) (bc Int)) Bool
  (= (mod (+ ar ac) 2) (mod (+ br bc) 2)))
(define-fun dominates ((jr Int) (jc Int) (ar Int) (ac Int) (br Int) (bc Int)) Bool
  (and (same-parity ar ac br bc) (related jr jc ar ac br bc)))

; T has not caught Jimmy; he steps and is safe from T.
(define-fun safe-from-t () Bool
  (and steps
       (not (and (= tr i) (= tc j)))
       (not (and (= ni tr) (= nj tc)))
       (not (and (= ntr ni) (= ntc nj)))))

(push 1)
(assert safe-from-t)
(assert (dominates i j tr tc sr sc))

; The premises are satisfiable, with T and S apart.
(push 1) (assert (not (and (= tr sr) (= tc sc))))
(set-info :status sat) (check-sat) (pop 1)

; S has not caught him.
(push 1) (assert (and (= sr i) (= sc j)))
(set-info :status unsat) (check-sat) (pop 1)

; S is not on the cell that he steps to.
(push 1) (assert (and (= sr ni) (= sc nj)))
(set-info :status unsat) (check-sat) (pop 1)

; S does not land on him.
(push 1) (assert (and (= nsr ni) (= nsc nj)))
(set-info :status unsat) (check-sat) (pop 1)

; T still dominates S.
(push 1) (assert (not (dominates ni nj ntr ntc nsr nsc)))
(set-info :status unsat) (check-sat) (pop 1)
(pop 1)

; Without the condition on parity, S can catch him where T does not.
(push 1)
(assert safe-from-t)
(assert (related i j tr tc sr sc))
(assert (or (and (= sr ni) (= sc nj)) (and (= nsr ni) (= nsc nj))))
(set-info :status sat) (check-sat) (pop 1)
