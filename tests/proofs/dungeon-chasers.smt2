; `dungeon`: two facts about single chasers that let the solver merge positions.
;
; *Steps.* Consider a zombie whose room holds no player and no adversary but ghosts. If each tile of the room has more
; neighbours in the room than there are ghosts, the zombie always steps. So row + column changes its parity with each of its moves.
;
; *Sight.* Consider a ghost under `cooldown` whose distance from the player, before he moves, is at most the radius minus his
; speed. If its tile has at least two more open neighbours than there are other adversaries, its cooldown is 0 after its next move.
;
; The board is any rectangle. A tile has at most four neighbours, so the conditions hold only for at most three ghosts, or at most two
; other adversaries; `on-1` to `on-3` give their number.

(set-logic QF_LIA)

(declare-const r Int) (declare-const c Int)     ; the chaser
(declare-const up Bool) (declare-const down Bool) (declare-const left Bool) (declare-const right Bool)
(declare-const r1 Int) (declare-const c1 Int) (declare-const on-1 Bool)     ; others
(declare-const r2 Int) (declare-const c2 Int) (declare-const on-2 Bool)
(declare-const r3 Int) (declare-const c3 Int) (declare-const on-3 Bool)

(define-fun count ((is Bool)) Int (ite is 1 0))
; The directions open without other actors, and the maximal number of actors in the way.
(define-fun ways () Int (+ (count up) (count down) (count left) (count right)))
(define-fun others () Int (+ (count on-1) (count on-2) (count on-3)))

; No other actor is there.
(define-fun free ((ar Int) (ac Int)) Bool
  (not (or (and on-1 (= ar r1) (= ac c1)) (and on-2 (= ar r2) (= ac c2)) (and on-3 (= ar r3) (= ac c3)))))
(define-fun go-up () Bool (and up (free (- r 1) c)))
(define-fun go-down () Bool (and down (free (+ r 1) c)))
(define-fun go-left () Bool (and left (free r (- c 1))))
(define-fun go-right () Bool (and right (free r (+ c 1))))
(define-fun open-ways () Int (+ (count go-up) (count go-down) (count go-left) (count go-right)))

; Steps. Rule 6 of `chase` and rule 2 of `cooldown`, without a player in its room: it takes an open direction, and stays only
; if there is none.
(declare-const nr Int) (declare-const nc Int)
(define-fun zombie-moves () Bool
  (or (and go-up (= nr (- r 1)) (= nc c))
      (and go-down (= nr (+ r 1)) (= nc c))
      (and go-left (= nr r) (= nc (- c 1)))
      (and go-right (= nr r) (= nc (+ c 1)))
      (and (= open-ways 0) (= nr r) (= nc c))))

(push 1)
(assert zombie-moves)

; Satisfiable, with ghosts in all directions but one.
(push 1) (assert (> ways others)) (assert (= open-ways 1)) (assert (= others 3))
(set-info :status sat) (check-sat) (pop 1)

; Its parity changes.
(push 1) (assert (> ways others)) (assert (= (mod (+ nr nc) 2) (mod (+ r c) 2)))
(set-info :status unsat) (check-sat) (pop 1)

; With as many ghosts as directions it may stay.
(push 1) (assert (= ways others)) (assert (= (mod (+ nr nc) 2) (mod (+ r c) 2)))
(set-info :status sat) (check-sat) (pop 1)
(pop 1)

; Sight.
(declare-const pr Int) (declare-const pc Int)       ; the player
(declare-const npr Int) (declare-const npc Int)     ; the player after his move
(declare-const speed Int) (declare-const radius Int) (declare-const cooldown Int) (declare-const set Int)
(define-fun distance ((a Int) (b Int)) Int (ite (< a b) (- b a) (- a b)))
(define-fun near () Int (+ (distance pr r) (distance pc c)))
(define-fun near-then () Int (+ (distance npr r) (distance npc c)))
(define-fun moves () Bool (<= (+ (distance pr npr) (distance pc npc)) speed))

; Rules 4 to 7 of `cooldown`: the possible cooldowns after the move; `walls` says whether an open direction leads into a wall.
(declare-const walls Bool) (declare-const cooldown-then Int)
(define-fun ghost-moves () Bool
  (= cooldown-then
     (ite (< open-ways 2) cooldown
       (ite (<= near-then radius) 0
         (ite (> cooldown 0) (- cooldown 1) (ite walls set cooldown))))))

(push 1)
(assert (and moves ghost-moves (>= speed 1) (>= radius 0) (>= cooldown 0) (>= set 0)))

; Satisfiable, with a player who runs away at full speed and a cooldown above 0.
(push 1) (assert (<= (+ near speed) radius)) (assert (>= ways (+ 2 others)))
(assert (and (= others 2) (> cooldown 1) (= near-then (+ near speed))))
(set-info :status sat) (check-sat) (pop 1)

; The cooldown is 0 then.
(push 1) (assert (<= (+ near speed) radius)) (assert (>= ways (+ 2 others)))
(assert (not (= cooldown-then 0)))
(set-info :status unsat) (check-sat) (pop 1)

; One step farther away, the claim fails.
(push 1) (assert (<= (+ near speed) (+ radius 1))) (assert (>= ways (+ 2 others)))
(assert (not (= cooldown-then 0)))
(set-info :status sat) (check-sat) (pop 1)

; With one direction fewer, it fails too.
(push 1) (assert (<= (+ near speed) radius)) (assert (>= ways (+ 1 others)))
(assert (not (= cooldown-then 0)))
(set-info :status sat) (check-sat) (pop 1)
(pop 1)
