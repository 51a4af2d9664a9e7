use super::*;

/// A walk on a grid that starts in the corner and goes right, down or back up until the coordinates sum to
/// `self.0`.
struct Corner(u32);

impl Model for Corner {
    type State = (u32, u32);
    type Move = u8;

    fn opened(&self) -> Result<(u32, u32), Outcome> {
        Ok((0, 0))
    }

    fn moves(&self, _at: &(u32, u32), out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }

    fn play(&self, at: &mut (u32, u32), mv: u8) -> Option<Outcome> {
        match mv {
            0 => at.0 += 1,
            1 => at.1 += 1,
            _ => at.1 = at.1.saturating_sub(1),
        }
        (at.0 + at.1 == self.0).then_some(Outcome::Escaped)
    }
}

#[test]
fn each_step_to_the_diagonal_is_one_of_two() {
    let limits = Limits::default();
    assert_eq!(count(&Corner(10), 10, &limits), Ok(1 << 10));
    assert_eq!(count(&Corner(127), 127, &limits), Ok(1 << 127));
    assert_eq!(count(&Corner(128), 128, &limits), Ok(u128::MAX));
}

struct Over;

impl Model for Over {
    type State = ();
    type Move = u8;

    fn opened(&self) -> Result<(), Outcome> {
        Err(Outcome::Escaped)
    }

    fn moves(&self, (): &(), _out: &mut Vec<u8>) {}

    fn play(&self, (): &mut (), _mv: u8) -> Option<Outcome> {
        None
    }
}

#[test]
fn a_game_that_is_over_has_the_empty_line() {
    assert_eq!(count(&Over, 0, &Limits::default()), Ok(1));
    assert_eq!(count(&Over, 1, &Limits::default()), Ok(0));
}

#[test]
fn a_limit_ends_it() {
    let states = Limits {
        max_states: Some(20),
        ..Limits::default()
    };
    assert_eq!(count(&Corner(10), 10, &states), Err(Limit::States));
    let memory = Limits {
        max_memory: Some(2000),
        ..Limits::default()
    };
    assert_eq!(count(&Corner(30), 30, &memory), Err(Limit::Memory));
}
