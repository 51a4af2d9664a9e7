use super::*;
use getaway_board::puzzle::Puzzle;
use getaway_board::puzzle::text::Boards;
use getaway_ruleset::Notation;
use getaway_ruleset::Playable;

fn level(text: &str) -> Dungeon {
    let mut puzzle = Puzzle::empty();
    assert!(Boards::new(text.as_bytes(), 1).read(&mut puzzle).unwrap());
    Dungeon::read(&puzzle).unwrap()
}

/// Returns the tiles to which the first adversary may move, with percentages; the tiles of a teleport are summed up.
fn next(text: &str) -> String {
    let game = level(text);
    let (parts, _) = parts(&game, &game.start());
    parts
}

/// Like [`next`], but for any position; also returns the cooldowns after the move.
fn parts(game: &Dungeon, at: &State) -> (String, Vec<u8>) {
    let mut outcomes = Distribution::new();
    game.outcomes(at, at.adversaries[0].cell, &mut outcomes);
    let mut parts = Vec::new();
    let (mut teleports, mut elsewhere) = (0.0, 0);
    let mut cooldowns = Vec::new();
    for (choice, probability) in outcomes.iter() {
        let (row, col) = game.grid().position(choice.to);
        if choice.is_teleport {
            teleports += probability * 100.0;
            elsewhere += 1;
        } else {
            parts.push(format!("{row},{col}: {:.0}%", probability * 100.0));
        }
        cooldowns.push(choice.cooldown);
    }
    if elsewhere > 0 {
        parts.push(format!("{elsewhere} tiles: {teleports:.0}%"));
    }
    cooldowns.dedup();
    (parts.join(", "), cooldowns)
}

#[test]
fn a_chasing_ghost_walks_rather_than_take_a_wall() {
    assert_eq!(next("------\n|G..P|\n|....|\n------\n"), "1,2: 100%");
    assert_eq!(
        next("------\n|G|.P|\n|....|\n------\n"),
        "6 tiles: 100%",
        "only a wall is closer"
    );
    assert_eq!(
        next("------\n|G|..|\n|...P|\n------\n"),
        "2,1: 100%",
        "the floor below is closer too"
    );
    assert_eq!(
        next("------\n|G...|\n|...P|\n------\n"),
        "2,1: 50%, 1,2: 50%"
    );
}

#[test]
fn the_radius_is_included() {
    assert_eq!(next("; radius: 2\n.....\n.G.P.\n.....\n"), "1,2: 100%");
    assert_eq!(
        next("; radius: 1\n.....\n|G.P.\n.....\n"),
        "1,1: 100%",
        "no room to appear in"
    );
}

#[test]
fn closer_to_one_of_the_nearest_players_is_close_enough() {
    let text = "-------\n|P.G.P|\n|.....|\n|..P..|\n-------\n";
    assert_eq!(next(text), "2,3: 33%, 1,2: 33%, 1,4: 33%");
    assert_eq!(
        next("-------\n|P.G..|\n|.....|\n|..P.P|\n-------\n"),
        "2,3: 50%, 1,2: 50%"
    );
}

#[test]
fn a_ghost_that_notices_nobody_runs_for_the_nearest_wall() {
    let text = "; radius: 0\n-------\n|.....|\n|..G..|\n|.....|\n|.....|\n-------\n";
    assert_eq!(
        next(text),
        "1,3: 100%",
        "one step from the wall above, two from those beside"
    );
    assert_eq!(
        next("; radius: 0\n...\n.G.\n...\n"),
        "0,1: 25%, 2,1: 25%, 1,0: 25%, 1,2: 25%"
    );
}

#[test]
fn a_player_on_the_closed_exit_is_safe_from_chase_alone() {
    let game = |strategy| level(&format!("; strategy: {strategy}\n------\n|GPEK|\n------\n"));
    for (strategy, caught) in [("chase", false), ("cooldown", true)] {
        let game = game(strategy);
        let mut at = game.start();
        assert_eq!(
            game.act(&mut at, "R".parse().unwrap(), &mut ()),
            None,
            "the exit is closed"
        );
        at.adversaries[0].cell = game.level.grid.cell(1, 2).unwrap();
        let (parts, _) = parts(&game, &at);
        assert_eq!(parts.contains("1,3"), caught, "{strategy}: {parts}");
    }
}

#[test]
fn a_zombie_keeps_to_its_room_and_off_doors() {
    assert_eq!(next("-------\n|Z.P..|\n-------\n"), "1,2: 100%");
    assert_eq!(next("------\n|ZPD.|\n------\n"), "1,2: 100%");
    assert_eq!(
        next("------\n|.ZP.|\n--D---\n|....|\n------\n"),
        "1,3: 100%"
    );
    assert_eq!(
        next("------\n|.ZD.|\n------\n"),
        "1,1: 100%",
        "no player in the room"
    );
    assert_eq!(next("-----\n|ZDP|\n-----\n"), "1,1: 100%", "it stays");
    assert_eq!(next("Z..P\n"), "0,0: 100%", "no room, no move");
}

#[test]
fn no_adversary_steps_on_another_or_takes_the_key_from_under_chase() {
    assert_eq!(next("------\n|ZZ.P|\n------\n"), "1,1: 100%");
    assert_eq!(next("------\n|ZK.P|\n------\n"), "1,1: 100%");
    assert_eq!(
        next("; strategy: cooldown\n------\n|ZK.P|\n------\n"),
        "1,2: 100%"
    );
}

#[test]
fn a_cooldown_ghost_counts_down_between_teleports() {
    let text = "; strategy: cooldown\n; radius: 1\n; cooldown: 2\n----\n|G.|\n|.P|\n----\n";
    let game = level(text);
    let mut at = game.start();
    assert_eq!(
        parts(&game, &at),
        ("3 tiles: 100%".into(), vec![2]),
        "cool, with a wall beside"
    );
    at.adversaries[0].kind = AdversaryKind::Ghost { cooldown: 2 };
    assert_eq!(
        parts(&game, &at),
        ("2,1: 50%, 1,2: 50%".into(), vec![1]),
        "hot, so no wall"
    );
    at.adversaries[0].cell = game.level.grid.cell(1, 2).unwrap();
    assert_eq!(
        parts(&game, &at),
        ("2,2: 100%".into(), vec![0]),
        "it sees the player"
    );
}

#[test]
fn a_ghost_with_one_way_to_go_takes_it_and_keeps_its_cooldown() {
    let game = level("; strategy: cooldown\nXXXXX\nXG.PX\nXXXXX\n");
    let mut at = game.start();
    at.adversaries[0].kind = AdversaryKind::Ghost { cooldown: 3 };
    assert_eq!(parts(&game, &at), ("1,2: 100%".into(), vec![3]));
}

#[test]
fn rooms_are_drawn_before_tiles() {
    let game = level("; radius: 0\n---------\n|GK|...P|\n---------\n");
    let mut outcomes = Distribution::new();
    let at = game.start();
    game.outcomes(&at, at.adversaries[0].cell, &mut outcomes);
    let told: Vec<_> = outcomes
        .iter()
        .map(|(choice, p)| (game.grid().position(choice.to), *p))
        .collect();
    let sixth = 1.0 / 6.0;
    assert_eq!(
        told,
        [
            ((1, 1), 0.5),
            ((1, 4), sixth),
            ((1, 5), sixth),
            ((1, 6), sixth)
        ]
    );
}

#[test]
fn without_a_free_tile_a_ghost_stays_but_its_cooldown_starts() {
    let text = "; strategy: cooldown\n; radius: 0\n--------\n|PG...\n--------\n";
    let game = level(text);
    assert_eq!(game.level.rooms().len(), 0);
    assert_eq!(parts(&game, &game.start()), ("1,2: 100%".into(), vec![5]));
}

#[test]
fn key_exit_and_contact_act_at_every_step() {
    let game = level("; speed: 3\n-------\n|PKE.Z|\n|..G..|\n-------\n");
    let play = |text: &str| {
        let mut at = game.start();
        (game.act(&mut at, text.parse().unwrap(), &mut ()), at)
    };
    assert_eq!(
        play("RR").0,
        Some(Outcome::Escaped),
        "the key opens the exit in the same turn"
    );
    assert_eq!(play("RL").1.key, None);
    assert_eq!(play("DRR").0, Some(Outcome::Caught(Cause::WalkedInto)));
    assert!(
        game.refusal(&game.start(), "RRR".parse().unwrap())
            .is_some(),
        "it is gone by then"
    );
    assert!(
        game.refusal(&game.start(), "DRRU".parse().unwrap())
            .is_some(),
        "too far"
    );
    let shut = level("; speed: 2\n-------\n|PE..K|\n-------\n");
    let mut at = shut.start();
    assert_eq!(
        shut.act(&mut at, "RR".parse().unwrap(), &mut ()),
        None,
        "over the closed exit"
    );
}

#[test]
fn a_player_that_meets_an_adversary_on_the_open_exit_is_caught() {
    let game = level("; strategy: cooldown\n------\n|PE.Z|\n------\n");
    let mut at = game.start();
    at.adversaries[0].cell = game.level.exit.unwrap();
    let right = "R".parse().unwrap();
    assert_eq!(
        game.act(&mut at, right, &mut ()),
        Some(Outcome::Caught(Cause::WalkedInto))
    );
}

#[test]
fn adversaries_move_in_the_reading_order_of_their_cells_at_the_start_of_the_turn() {
    let game = level("; radius: 0\n-----\n|.G.|\n|G.P|\n-----\n");
    let mut at = game.start();
    let mut chasers = Vec::new();
    game.chasers(&at, &mut chasers);
    let cells = chasers.clone();
    // The first ghost appears behind the second, which still moves exactly once.
    let to = game.level.grid.cell(2, 2).unwrap();
    let choice = Choice {
        to,
        is_teleport: true,
        cooldown: 0,
    };
    let mut seen = Vec::new();
    assert_eq!(
        game.carry_out(&mut at, chasers[0], &choice, &mut seen),
        None
    );
    assert_eq!(seen[0].fate, Fate::Teleports);
    assert_eq!(
        at.adversaries
            .iter()
            .map(|other| other.cell)
            .collect::<Vec<_>>(),
        [cells[1], to]
    );
    let mut outcomes = Distribution::new();
    game.outcomes(&at, chasers[1], &mut outcomes);
    assert!(
        outcomes.iter().all(|(choice, _)| choice.to != to),
        "that tile is taken now"
    );
}

#[test]
fn a_catch_is_an_event_of_the_adversary() {
    let game = level("-----\n|ZP.|\n-----\n");
    let mut at = game.start();
    let who = at.adversaries[0].cell;
    let choice = Choice {
        to: at.players[0],
        is_teleport: false,
        cooldown: 0,
    };
    let mut seen = Vec::new();
    let ended = game.carry_out(&mut at, who, &choice, &mut seen);
    assert_eq!(ended, Some(Outcome::Caught(Cause::Chaser)));
    assert_eq!((seen[0].actor, seen[0].fate), ('Z', Fate::Catches));
    assert_eq!(game.picture(&at), ["-----", "|.Z.|", "-----"]);
}

#[test]
fn a_board_without_a_player_has_no_move_but_none() {
    let game = level("------\n|G..Z|\n------\n");
    let at = game.start();
    assert_eq!(game.refusal(&at, Move::STAY), None);
    let right = "R".parse().unwrap();
    assert_eq!(
        game.refusal(&at, right).unwrap(),
        "there is no player to move"
    );
}

#[test]
fn players_move_one_after_the_other() {
    let game = level("------\n|PP..|\n|....|\n------\n");
    let mut at = game.start();
    for mover in [0, 1, 0] {
        assert_eq!(game.mover(&at), mover);
        let from = at.players[mover];
        let mut events = Vec::new();
        assert_eq!(game.act(&mut at, "D".parse().unwrap(), &mut events), None);
        assert_eq!((events.len(), events[0].from), (1, from));
        if mover == 1 {
            assert_eq!(game.picture(&at)[2], "|PP..|");
            at = game.start();
        }
    }
}

/// Plays a line of moves with nobody in the way; returns the outcome and the number of moves played.
fn played(text: &str, line: &str) -> (Option<Outcome>, usize) {
    let game = level(text);
    let mut at = game.start();
    let moves = game.parse_moves(line).unwrap();
    let mut played = 0;
    let outcome = moves.iter().find_map(|&mv| {
        played += 1;
        game.act(&mut at, mv, &mut ())
    });
    (outcome, played)
}

#[test]
fn the_goal_says_how_many_players_must_escape() {
    let both = "------\n|PEP.|\n------\n";
    assert_eq!(played(both, "R,L"), (Some(Outcome::Escaped), 1));
    let all = format!("; goal: all\n{both}");
    assert_eq!(played(&all, "R"), (None, 1));
    assert_eq!(played(&all, "R,L"), (Some(Outcome::Escaped), 2));
    assert_eq!(played(&all, "R,. L"), (Some(Outcome::Escaped), 3));
}

#[test]
fn the_goal_says_how_many_players_must_be_caught() {
    let both = "------\n|PZPE|\n------\n";
    let caught = Some(Outcome::Caught(Cause::WalkedInto));
    assert_eq!(played(both, "R,R"), (Some(Outcome::Escaped), 2));
    assert_eq!(played(both, "R,L"), (caught, 2));
    assert_eq!(played(&format!("; goal: all\n{both}"), "R,R"), (caught, 1));
}

#[test]
fn a_single_player_has_the_same_game_whatever_the_goal() {
    for (line, outcome) in [
        ("R", Some(Outcome::Escaped)),
        ("D", Some(Outcome::Caught(Cause::WalkedInto))),
        (".", None),
    ] {
        let one = "----\n|PE|\n|Z.|\n----\n";
        assert_eq!(played(one, line), (outcome, 1));
        assert_eq!(played(&format!("; goal: all\n{one}"), line), (outcome, 1));
    }
}

#[test]
fn a_group_of_a_line_has_at_most_one_move_for_each_player() {
    let game = level("------\n|PP..|\n------\n");
    let count = |line: &str| game.parse_moves(line).map(|moves| moves.len());
    assert_eq!(count(".,R .,L"), Ok(4));
    assert_eq!(count("., R . L"), Ok(4));
    let error = count(".,R .,L,R").unwrap_err();
    assert_eq!((error.at, error.text.as_str()), (8, "R"));
    assert!(error.to_string().contains("2 players"), "{error}");
}
