; `dungeon`: the player reaches a place only if he could also reach it with only the stuck zombies on the level, and
; escapes only if he could escape then. A certificate `without chasers` relies on this.
;
; The claims are about one step of the player and one move of an adversary. By induction over all steps and moves, they hold for
; every play. The level is arbitrary: `open` are the tiles that he may step on; `room` numbers rooms from 1 and is 0 elsewhere. A place is a
; cell and whether the key has been taken.

(set-logic QF_UFLIA)

(declare-fun open (Int Int) Bool)
(declare-fun way-out (Int Int) Bool)
(declare-fun key (Int Int) Bool)
(declare-fun room (Int Int) Int)
(declare-fun listed (Int Int Bool) Bool)     ; the places of the certificate
(declare-fun taken (Int Int) Bool)           ; where an adversary is
(declare-fun stuck (Int Int) Bool)           ; where a zombie was drawn that is stuck

(declare-const r Int) (declare-const c Int) (declare-const has-key Bool)     ; the player's place
(declare-const tr Int) (declare-const tc Int)                                ; the tile that he steps to

(define-fun beside ((ar Int) (ac Int) (br Int) (bc Int)) Bool
  (or (and (= ar br) (or (= bc (+ ac 1)) (= bc (- ac 1))))
      (and (= ac bc) (or (= br (+ ar 1)) (= br (- ar 1))))))

; Rules 3 to 5: he may step there; then he is caught; or he takes the key, and escapes if he has it.
(define-fun may-step () Bool (and (beside r c tr tc) (open tr tc)))
(define-fun takes-key () Bool (and (not has-key) (key tr tc)))
(define-fun has-key-then () Bool (or has-key (key tr tc)))
(define-fun is-out () Bool (and has-key-then (way-out tr tc)))

; The verifier has checked the listed place: on the level with only the `stuck` zombies, this step is a loss, or
; leads to a listed place and not out.
(define-fun is-checked () Bool
  (=> (and (listed r c has-key) may-step)
      (or (stuck tr tc)
          (and (not is-out) (listed tr tc has-key-then)))))

; The player's half of a turn. Stuck zombies are on their original tiles.
(push 1)
(assert is-checked)
(assert (listed r c has-key))
(assert may-step)
(assert (not (taken tr tc)))

; Such steps exist, and some take the key.
(push 1) (assert takes-key) (assert (=> (stuck tr tc) (taken tr tc)))
(set-info :status sat) (check-sat) (pop 1)

; A step that he survives leads to a listed place.
(push 1) (assert (=> (stuck tr tc) (taken tr tc)))
(assert (not (listed tr tc has-key-then)))
(set-info :status unsat) (check-sat) (pop 1)

; It does not lead out.
(push 1) (assert (=> (stuck tr tc) (taken tr tc)))
(assert is-out)
(set-info :status unsat) (check-sat) (pop 1)

; If a stuck zombie could disappear, the step might lead out.
(push 1) (assert (stuck tr tc)) (assert is-out)
(set-info :status sat) (check-sat) (pop 1)

; If another actor could take the key meanwhile, the step might lead out as well.
(push 1) (assert (=> (stuck tr tc) (taken tr tc)))
(assert (and (not has-key) (way-out tr tc)))
(set-info :status sat) (check-sat) (pop 1)
(pop 1)

; The adversaries' half. A zombie at (zr, zc) moves, by rule 6: it stays, or steps on free floor of its own room.
; A ghost at (gr, gc) steps or teleports to any free tile.
(declare-const zr Int) (declare-const zc Int) (declare-const nzr Int) (declare-const nzc Int)
(declare-const gr Int) (declare-const gc Int) (declare-const ngr Int) (declare-const ngc Int)
(define-fun zombie-moves () Bool
  (or (and (= nzr zr) (= nzc zc))
      (and (beside zr zc nzr nzc)
           (> (room zr zc) 0) (= (room nzr nzc) (room zr zc))
           (not (taken nzr nzc)))))
(define-fun ghost-moves () Bool
  (or (and (= ngr gr) (= ngc gc)) (not (taken ngr ngc))))
(define-fun taken-then ((ar Int) (ac Int)) Bool
  (or (and (= ar ngr) (= ac ngc))
      (and (taken ar ac) (not (and (= ar gr) (= ac gc))))))

; A zombie can move.
(push 1) (assert zombie-moves) (assert (not (and (= nzr zr) (= nzc zc))))
(set-info :status sat) (check-sat) (pop 1)

; A stuck one never does: it is outside of rooms, or other stuck zombies occupy all its neighbours.
(define-fun is-stuck () Bool
  (or (<= (room zr zc) 0)
      (=> (and (beside zr zc nzr nzc) (= (room nzr nzc) (room zr zc))) (stuck nzr nzc))))
(push 1) (assert zombie-moves) (assert is-stuck)
(assert (=> (stuck nzr nzc) (taken nzr nzc)))
(assert (not (and (= nzr zr) (= nzc zc))))
(set-info :status unsat) (check-sat) (pop 1)

; It might move if those around it could.
(push 1) (assert zombie-moves) (assert is-stuck)
(assert (> (room zr zc) 0))
(assert (not (and (= nzr zr) (= nzc zc))))
(set-info :status sat) (check-sat) (pop 1)

; A tile is free once a ghost has moved away from it.
(push 1) (assert ghost-moves) (assert (taken gr gc))
(push 1) (assert (not (taken-then gr gc)))
(set-info :status sat) (check-sat) (pop 1)

; The tile of an actor that has not moved is not free.
(assert (taken zr zc)) (assert (not (and (= gr zr) (= gc zc))))
(assert (not (taken-then zr zc)))
(set-info :status unsat) (check-sat) (pop 1)
