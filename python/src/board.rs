//! Boards: reading, solving, replaying and drawing.

use getaway::cli::panics::{caught, on_purpose};
use getaway::solvers::rulesets;
use getaway::{
    BoardError, Ending, Evidence, Fault, FaultKind, Limits, Picture, PictureStyle, Place, Puzzle,
    RULESETS, Solution,
};
use getaway_board::puzzle::json;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use rayon::prelude::*;

use crate::objects::{class, exception};
use crate::work::{SearchLimits, guarded, internal, interruptible, pool};

/// `Spot` in Python: a place in words, its line or row and its column, and the key of a dictionary.
type Spot = (String, Option<u64>, Option<u64>, Option<String>);

fn board_error(board: &Bound<'_, PyAny>, error: &BoardError) -> PyErr {
    let py = board.py();
    let spot = |place: Place| -> PyResult<Spot> {
        let Place { line, column, .. } = place;
        if !board.is_instance_of::<PyMapping>() {
            return Ok((place.to_string(), Some(line), Some(column), None));
        }
        class(py, "spot")?.call1((board, line, column))?.extract()
    };
    let name = |place| spot(place).map_or_else(|error| error.to_string(), |spot| spot.0);
    let fault = |fault: &Fault| {
        let (_, line, column, key) = spot(fault.place)?;
        let (message, help) = (fault.kind.with_places(name), fault.kind.help());
        class(py, "Fault")?.call1((message, line, column, help, key))
    };
    match error.faults.iter().map(fault).collect::<PyResult<Vec<_>>>() {
        Ok(faults) => exception(py, "BoardError", (error.with_places(name), faults)),
        Err(error) => error,
    }
}

/// A drawing, or a line of JSON if it begins with `{`.
struct Source {
    text: String,
    is_dictionary: bool,
}

impl Source {
    /// Returns the source of a string, a board or a dictionary.
    fn of(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_dictionary = board.is_instance_of::<PyMapping>();
        let text = if is_dictionary {
            class(board.py(), "to_json")?.call1((board,))?.extract()?
        } else if let Ok(board) = board.cast::<Board>() {
            board.get().text.clone()
        } else if let Ok(text) = board.cast::<PyString>() {
            text.to_str()?.to_owned()
        } else {
            let name = board.get_type().name()?;
            let message = format!("a board is a string or a dictionary, not {name}");
            return Err(PyTypeError::new_err(message));
        };
        Ok(Self {
            text,
            is_dictionary,
        })
    }

    fn read(&self) -> Result<getaway::Board, BoardError> {
        let text = self.text.trim();
        if !text.starts_with('{') {
            return self.text.parse();
        }
        let mut puzzle = Puzzle::empty();
        let mut read = json::read_line(text.as_bytes(), 1, &mut puzzle);
        if self.is_dictionary {
            number_rows(&mut puzzle, read.as_mut().err());
        }
        read?;
        let board = getaway::Board::read(&puzzle)?;
        if self.is_dictionary {
            check_keys(&board, &puzzle)?;
        }
        Ok(board)
    }
}

/// Refuses keys that the ruleset of the board does not have. The program only warns of them, but this package shows no warnings.
fn check_keys(board: &getaway::Board, puzzle: &Puzzle) -> Result<(), BoardError> {
    let mut faults = rulesets::warnings(RULESETS, board.ruleset(), board.game(), puzzle);
    faults.retain(|fault| {
        let kind = &fault.kind;
        matches!(
            kind,
            FaultKind::UnknownHeader { .. } | FaultKind::ForeignHeader { .. }
        )
    });
    if faults.is_empty() {
        return Ok(());
    }
    Err(BoardError { faults, more: 0 })
}

/// Replaces the line numbers in a dictionary's generated JSON, which mean nothing to the user: each row gets its own number, from
/// 1, and all other places get 0.
fn number_rows(puzzle: &mut Puzzle, error: Option<&mut BoardError>) {
    for fault in error.into_iter().flat_map(|error| &mut error.faults) {
        fault.place.line = 0;
    }
    for header in &mut puzzle.headers {
        (header.place.line, header.key_place.line) = (0, 0);
    }
    for (number, row) in (1..).zip(&mut puzzle.rows) {
        (row.line, row.column, row.exact) = (number, 1, true);
    }
}

/// A board of any ruleset.
#[pyclass(module = "getaway", frozen, subclass)]
pub struct Board {
    text: String,
    pub board: getaway::Board,
}

/// A line of play, as a string or a list of moves.
#[derive(FromPyObject)]
enum Moves {
    Line(String),
    List(Vec<String>),
}

#[pymethods]
impl Board {
    #[new]
    fn new(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let source = Source::of(board)?;
        let read = guarded(board.py(), || source.read())?;
        Ok(Self {
            board: read.map_err(|error| board_error(board, &error))?,
            text: source.text,
        })
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn ruleset(&self) -> &'static str {
        self.board.ruleset().name
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.board.name()
    }

    #[pyo3(signature = (*, shortest=false, timeout=None, max_memory=None, max_states=None, width=None))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        shortest: bool,
        timeout: Option<f64>,
        max_memory: Option<u64>,
        max_states: Option<u64>,
        width: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let search_limits = SearchLimits::new(timeout, max_memory, max_states, width)?;
        let solution = search_limits.run(py, |limits| solve(&self.board, shortest, limits))?;
        solved(py, &solution)
    }

    fn replay<'py>(&self, py: Python<'py>, moves: Moves) -> PyResult<Bound<'py, PyAny>> {
        let moves = match moves {
            Moves::Line(line) => line,
            Moves::List(moves) => moves.join(" "),
        };
        let replay = guarded(py, || self.board.replay(&moves))?.map_err(unplayable)?;
        let (ending, turns) = match replay.ending() {
            Ending::Escaped { turns } => ("escaped", *turns),
            Ending::Caught { turns, .. } => ("caught", *turns),
            Ending::Open { turns, .. } => ("open", *turns),
            Ending::Illegal { turn, .. } => ("illegal", turn - 1),
            Ending::Forfeited { turns, .. } => ("forfeited", *turns),
        };
        let reason = replay.ending().reason();
        let half = class(py, "HalfTurn")?;
        let halves = replay.map(|step| half.call1((step.turn, step.who, &step.mv, step.picture())));
        let halves = halves.collect::<PyResult<Vec<_>>>()?;
        class(py, "Replay")?.call1((&self.text, moves, halves, ending, turns, reason))
    }

    /// Returns an animation of the game with these moves or, without moves, a picture of the board.
    #[pyo3(signature = (moves=None))]
    fn svg(&self, py: Python<'_>, moves: Option<&str>) -> PyResult<String> {
        let picture = moves.map_or(Picture::StillSvg(0), |_| Picture::Svg);
        guarded(py, || {
            let recording = self.board.record(moves.unwrap_or_default());
            let recording = recording.map_err(unplayable)?;
            let mut svg = Vec::new();
            let drawn = recording.draw(
                picture,
                &PictureStyle::default(),
                &Limits::default(),
                &mut svg,
            );
            drawn.map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok(String::from_utf8_lossy(&svg).into_owned())
        })?
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = PyString::new(py, &self.text).repr()?;
        Ok(format!("Board({text})"))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text).hash()
    }

    fn __getnewargs__(&self) -> (&str,) {
        (&self.text,)
    }
}

pub fn unplayable(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn solve(board: &getaway::Board, shortest: bool, limits: &Limits) -> Solution {
    on_purpose(board.name().unwrap_or_default());
    if shortest {
        board.solve_shortest(limits)
    } else {
        board.solve(limits)
    }
}

/// Solves many boards in parallel, by default on all cores. For an invalid board, the list contains its error.
#[pyfunction]
#[pyo3(signature = (boards, *, shortest=false, threads=None, timeout=None, max_memory=None, max_states=None, width=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments in Python")]
pub fn solve_many<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    shortest: bool,
    threads: Option<usize>,
    timeout: Option<f64>,
    max_memory: Option<u64>,
    max_states: Option<u64>,
    width: Option<f64>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let search_limits = SearchLimits::new(timeout, max_memory, max_states, width)?;
    let boards = boards.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let sources = boards.iter().map(Source::of);
    let sources = sources.collect::<PyResult<Vec<_>>>()?;
    let pool = pool(threads)?;
    let searches = pool.current_num_threads();
    let solutions = interruptible(py, |stop| {
        let limits = || search_limits.limits(stop, searches);
        let one = |source: &Source| caught(|| Ok(solve(&source.read()?, shortest, &limits())));
        pool.install(|| sources.par_iter().map(one).collect::<Vec<_>>())
    })?;
    let result = |(solution, board): (Result<_, String>, _)| match solution {
        Ok(Ok(solution)) => solved(py, &solution),
        Ok(Err(error)) => Ok(board_error(board, &error)
            .into_value(py)
            .into_bound(py)
            .into_any()),
        Err(panic) => Err(internal(py, &panic)),
    };
    solutions.into_iter().zip(&boards).map(result).collect()
}

fn solved<'py>(py: Python<'py>, solution: &Solution) -> PyResult<Bound<'py, PyAny>> {
    let fields = PyDict::new(py);
    fields.set_item("verdict", solution.verdict().to_string())?;
    fields.set_item("states", solution.states)?;
    fields.set_item("limit", solution.limit().map(getaway::Limit::name))?;
    fields.set_item("probability", solution.evidence.probability())?;
    match &solution.evidence {
        Evidence::None => {}
        Evidence::Line(line) => {
            let moves: Vec<_> = line.chars().collect();
            fields.set_item("length", moves.len())?;
            fields.set_item("moves", moves)?;
        }
        Evidence::Survives(survives) => {
            fields.set_item("survives", Option::<bool>::from(*survives))?;
        }
        Evidence::Direction { direction, steps } => {
            fields.set_item("direction", direction)?;
            fields.set_item("steps", steps)?;
        }
        Evidence::Chance {
            bounds, certain, ..
        } => {
            fields.set_item("bounds", (bounds.lower, bounds.upper))?;
            fields.set_item("certain", Option::<bool>::from(*certain))?;
        }
    }
    class(py, "Solution")?.call((), Some(&fields))
}
