//! Many games at a time, which read actions from arrays and write results into arrays.

use std::sync::Arc;

use getaway::{Bounds, PositionValue};
use getaway_play::arena::{Arena, Episode, EpisodeEnd};
use numpy::{PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray4};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use rayon::prelude::*;

use crate::board::{Board, unplayable};
use crate::objects::class;
use crate::work::{SearchLimits, guarded, pool};

/// The number of planes in an observation: the glyphs, and the state that they do not show.
const PLANES: usize = 2;

/// A chaser's role, its row and column (`None` if it has fallen), and the numbers of the orders that it can obey now.
type Chaser = (&'static str, Option<(u32, u32)>, Vec<usize>);

/// A runner's cell, and its legal moves.
type Runner = (Option<(u32, u32)>, Vec<usize>);

/// The observations, and the masks of legal moves.
type ObservationArrays<'py> = (PyReadwriteArray4<'py, u8>, PyReadwriteArray2<'py, i8>);

/// The rewards, terminations and truncations.
type Results<'py> = (
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
);

/// Games of one ruleset. The next step restarts a finished game, and ignores the action.
#[pyclass(module = "getaway._core")]
pub struct Games {
    arenas: Vec<Arc<dyn Arena>>,
    games: Vec<Game>,
    size: (usize, usize),
    #[pyo3(get)]
    moves: Vec<String>,
    pool: Option<ThreadPool>,
}

struct Game {
    episode: Box<dyn Episode>,
    turns: u64,
    most_turns: u64,
    is_over: bool,
}

/// A game's part of the arrays.
struct GameView<'a> {
    view: &'a mut [u8],
    mask: &'a mut [i8],
    cols: usize,
}

struct StepResult<'a> {
    reward: &'a mut f64,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
}

impl Game {
    fn restart(&mut self, seed: Option<u64>) {
        self.episode.restart(seed);
        self.turns = 0;
        self.is_over = false;
    }

    fn show(&self, slot: &mut GameView) {
        let (glyphs, hidden) = slot.view.split_at_mut(slot.view.len() / PLANES);
        self.episode.draw(glyphs, hidden, slot.cols);
        self.episode.mark_legal(slot.mask);
    }

    fn step(&mut self, action: usize, orders: &[Option<usize>], result: &mut StepResult) {
        let end = if self.is_over {
            self.restart(None);
            None
        } else {
            self.turns += 1;
            self.episode.play_controlled(action, orders)
        };
        *result.reward = if end == Some(EpisodeEnd::Escaped) {
            1.0
        } else {
            0.0
        };
        *result.terminated = end.is_some();
        *result.truncated = self.turns >= self.most_turns;
        self.is_over = *result.terminated || *result.truncated;
    }
}

#[pymethods]
impl Games {
    /// Creates the games. Game `n` uses board `n % len(boards)`.
    #[new]
    #[pyo3(signature = (boards, count, most_turns=None, threads=1))]
    fn new(
        py: Python<'_>,
        boards: Vec<PyRef<'_, Board>>,
        count: usize,
        most_turns: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        let Some(first) = boards.first() else {
            return Err(PyValueError::new_err("there is no board to play on"));
        };
        let ruleset = first.board.ruleset().name;
        if let Some(other) = boards
            .iter()
            .find(|other| other.board.ruleset().name != ruleset)
        {
            let other = other.board.ruleset().name;
            let message = format!(
                "boards of `{ruleset}` and `{other}` have different moves: name boards of one ruleset"
            );
            return Err(PyValueError::new_err(message));
        }
        let arenas = boards
            .iter()
            .map(|board| board.board.arena().map_err(unplayable));
        let arenas: Vec<_> = guarded(py, || arenas.collect::<PyResult<_>>())??;
        let moves = arenas
            .iter()
            .map(|arena| arena.moves())
            .max_by_key(|moves| moves.len());
        let size = |of: fn(&dyn Arena) -> u32| {
            arenas
                .iter()
                .map(|arena| of(&**arena) as usize)
                .max()
                .unwrap_or_default()
        };
        let game = |arena: &Arc<dyn Arena>| Game {
            episode: Arc::clone(arena).game(),
            turns: 0,
            most_turns: most_turns.unwrap_or(u64::MAX),
            is_over: false,
        };
        let mut games = Vec::new();
        games
            .try_reserve_exact(count)
            .map_err(|_| PyMemoryError::new_err(format!("{count} games do not fit in memory")))?;
        games.extend(arenas.iter().cycle().take(count).map(game));
        Ok(Self {
            games,
            size: (
                size(|arena| arena.grid().rows()),
                size(|arena| arena.grid().cols()),
            ),
            moves: moves.unwrap_or_default().to_vec(),
            pool: if threads == 1 {
                None
            } else {
                Some(pool(Some(threads))?)
            },
            arenas,
        })
    }

    #[getter]
    fn shape(&self) -> (usize, usize, usize) {
        (PLANES, self.size.0, self.size.1)
    }

    #[getter]
    fn orders(&self) -> &'static [&'static str] {
        self.arenas[0].orders()
    }

    /// Restarts all games. A game without a seed continues its sequence of random numbers.
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        mut views: ObservationArrays<'_>,
    ) -> PyResult<()> {
        if seeds.len() != self.games.len() {
            let message = format!("{} seeds for {} games", seeds.len(), self.games.len());
            return Err(PyValueError::new_err(message));
        }
        let slots = slots(self.size, (self.games.len(), self.moves.len()), &mut views)?;
        guarded(py, || {
            for ((game, seed), mut slot) in self.games.iter_mut().zip(seeds).zip(slots) {
                game.restart(seed);
                game.show(&mut slot);
            }
        })
    }

    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        mut views: ObservationArrays<'_>,
        mut results: Results<'_>,
    ) -> PyResult<()> {
        let count = self.games.len();
        let actions = numbers(actions.as_slice().map_err(unplayable)?, self.moves.len())?;
        let slots = slots(self.size, (count, self.moves.len()), &mut views)?;
        let step_results = step_results(count, &mut results)?;
        if actions.len() != count {
            let message = format!("{} actions for {count} games", actions.len());
            return Err(PyValueError::new_err(message));
        }
        let turns = self
            .games
            .iter_mut()
            .zip(actions)
            .zip(slots.zip(step_results));
        let play = |((game, action), (mut slot, mut result)): (
            (&mut Game, usize),
            (GameView, StepResult),
        )| {
            game.step(action, &[], &mut result);
            game.show(&mut slot);
        };
        match &self.pool {
            None => guarded(py, || turns.for_each(play)),
            Some(pool) => {
                let turns: Vec<_> = turns.collect();
                let share = count.div_ceil(pool.current_num_threads());
                guarded(py, || {
                    let all = || turns.into_par_iter().with_min_len(share).for_each(play);
                    py.detach(|| pool.install(all));
                })
            }
        }
    }

    /// Makes a move in the first game, and gives orders to its chasers.
    fn lead(
        &mut self,
        py: Python<'_>,
        action: i64,
        orders: Vec<Option<usize>>,
        mut views: ObservationArrays<'_>,
        mut results: Results<'_>,
    ) -> PyResult<()> {
        let action = numbers(&[action], self.moves.len())?[0];
        let mut slots = slots(self.size, (1, self.moves.len()), &mut views)?;
        let mut step_results = step_results(1, &mut results)?;
        let (Some(mut slot), Some(mut result)) = (slots.next(), step_results.next()) else {
            return Ok(());
        };
        guarded(py, || {
            self.games[0].step(action, &orders, &mut result);
            self.games[0].show(&mut slot);
        })
    }

    /// Returns the runners of the first game: their cells, and their legal moves if the runners before them wait.
    fn runners(&self) -> Vec<Runner> {
        let grid = self.arenas[0].grid();
        let runners = self.games[0].episode.runners().into_iter();
        runners
            .map(|runner| (runner.cell.map(|cell| grid.position(cell)), runner.moves))
            .collect()
    }

    /// Returns the chasers of the first game that can be controlled.
    fn chasers(&self) -> Vec<Chaser> {
        let grid = self.arenas[0].grid();
        let chasers = self.games[0].episode.chasers().into_iter();
        chasers
            .map(|chaser| {
                (
                    chaser.role,
                    chaser.cell.map(|cell| grid.position(cell)),
                    chaser.orders,
                )
            })
            .collect()
    }

    /// Returns the reason why a game is over; `None` if it goes on, or was only cut off by the turn limit.
    fn reason(&self, game: usize) -> PyResult<Option<String>> {
        let end = self.game(game)?.episode.end();
        Ok(end.map(|end| match end {
            EpisodeEnd::Escaped => "escaped".to_owned(),
            EpisodeEnd::Caught(cause) => cause.to_string(),
            EpisodeEnd::Illegal => "illegal move".to_owned(),
        }))
    }

    /// Returns the value of a game's position and of its moves or, if `is_new`, of its board's first position.
    #[pyo3(signature = (number, is_new=false, *, timeout=None, max_memory=None, max_states=None, width=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
    fn optimal<'py>(
        &self,
        py: Python<'py>,
        number: usize,
        is_new: bool,
        timeout: Option<f64>,
        max_memory: Option<u64>,
        max_states: Option<u64>,
        width: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let search_limits = SearchLimits::new(timeout, max_memory, max_states, width)?;
        let fresh = is_new.then(|| Arc::clone(&self.arenas[number % self.arenas.len()]).game());
        let episode = match &fresh {
            Some(episode) => episode,
            None => &self.game(number)?.episode,
        };
        let evaluation = search_limits.run(py, |limits| episode.evaluate(limits))?;
        let moves: Vec<_> = evaluation
            .moves
            .iter()
            .map(|(mv, value)| (mv, pair(bounds(*value))))
            .collect();
        let bounds = bounds(evaluation.value);
        let value = bounds.is_exact().then(|| bounds.middle());
        class(py, "Optimum")?.call1((pair(bounds), value, evaluation.best, moves))
    }
}

impl Games {
    fn game(&self, number: usize) -> PyResult<&Game> {
        let game = self.games.get(number);
        game.ok_or_else(|| PyValueError::new_err(format!("there is no game number {number}")))
    }
}

const fn pair(bounds: Bounds) -> (f64, f64) {
    (bounds.lower, bounds.upper)
}

const fn bounds(value: PositionValue) -> Bounds {
    match value {
        PositionValue::Escape { .. } => Bounds::exact(1.0),
        PositionValue::Caught { .. } => Bounds::exact(0.0),
        PositionValue::Chance(bounds) => bounds,
        PositionValue::Food { .. } | PositionValue::Unknown(_) => Bounds::UNKNOWN,
    }
}

fn numbers(actions: &[i64], moves: usize) -> PyResult<Vec<usize>> {
    let number = |&action: &i64| {
        let number = usize::try_from(action)
            .ok()
            .filter(|&number| number < moves);
        number.ok_or_else(|| {
            PyValueError::new_err(format!(
                "{action} is not an action: actions are 0 to {}",
                moves - 1
            ))
        })
    };
    actions.iter().map(number).collect()
}

/// Splits the arrays into one slot for each game.
fn slots<'a>(
    (rows, cols): (usize, usize),
    (games, moves): (usize, usize),
    (views, masks): &'a mut ObservationArrays<'_>,
) -> PyResult<impl Iterator<Item = GameView<'a>>> {
    let size = PLANES * rows * cols;
    let views = exactly(games * size, views.as_slice_mut())?;
    let masks = exactly(games * moves, masks.as_slice_mut())?;
    let slots = views.chunks_mut(size).zip(masks.chunks_mut(moves));
    Ok(slots.map(move |(view, mask)| GameView { view, mask, cols }))
}

fn step_results<'a>(
    games: usize,
    (rewards, terminations, truncations): &'a mut Results<'_>,
) -> PyResult<impl Iterator<Item = StepResult<'a>>> {
    let rewards = exactly(games, rewards.as_slice_mut())?.iter_mut();
    let ends = exactly(games, terminations.as_slice_mut())?.iter_mut();
    let ends = ends.zip(exactly(games, truncations.as_slice_mut())?);
    let result = |(reward, (terminated, truncated))| StepResult {
        reward,
        terminated,
        truncated,
    };
    Ok(rewards.zip(ends).map(result))
}

/// Rejects an array of the wrong size, which the package itself never passes.
fn exactly<T, E: ToString>(count: usize, slice: Result<&mut [T], E>) -> PyResult<&mut [T]> {
    let slice = slice.map_err(unplayable)?;
    if slice.len() == count {
        Ok(slice)
    } else {
        Err(PyValueError::new_err(format!(
            "an array has {} items, not {count}",
            slice.len()
        )))
    }
}
