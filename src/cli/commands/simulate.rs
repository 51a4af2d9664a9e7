//! `getaway simulate`: lets a policy or programs play a board, once with a trace or many times with statistics.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use getaway_board::limits::Limits;
use getaway_board::rng::Rng;
use getaway_play::agent::TURNS;
use getaway_play::external::ExternalAgents;
use getaway_play::simulation::Simulator;
use getaway_play::solution::Verdict;
use getaway_search::search::Order;
use getaway_solvers::game::{self, Plan};

use super::trace::{finish, writer};
use crate::cli::agents::{AgentArgs, Entrant, board_info, entrant};
use crate::cli::args::{
    BoardArgs, Color, GameArgs, LayoutArgs, SearchArgs, ShortestArgs, ThreadArgs, in_long_help,
};
use crate::cli::exit;
use crate::cli::games::Series;
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::statistics::Games;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway simulate level.txt
  getaway simulate --runs 10000 --seed 1 level.txt
  getaway simulate --policy greedy --runs 1000 level.txt
  getaway simulate --runner 'python3 mine.py' --runs 1000 --seed 1 level.txt")]
#[command(mut_args(|arg| in_long_help(arg, &["file", "moves", "shortest"])))]
#[command(mut_arg("turns", |turns| turns.long_help("\
Play at most N turns.

[default: 1,000 if a game may never end; 100,000 for `--runs` with the solver, which may wait long for a better chance]")))]
#[command(mut_arg("seed", |seed| seed.help("The seed for chance [default: header `seed`, or new]")))]
pub struct Simulate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Play N games on all cores and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[arg(conflicts_with_all = ["compact", "per_row", "line_width"])]
    pub runs: Option<u64>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Print JSON of each ply, or of the statistics.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub layout: LayoutArgs,
    #[command(flatten)]
    pub shortest: ShortestArgs,
    #[command(flatten)]
    pub threads: ThreadArgs,
    #[command(flatten)]
    pub agents: AgentArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, args.threads.threads)?;
    options.order = args.shortest.order;
    let entrant = entrant(&args.agents)?;
    if let Some(strategy) = entrant.strategy {
        options.set_header("strategy", strategy);
    }
    let mut one = OneBoard::new(&args.board.file, &options, color);
    one.typed.clone_from(&args.game);
    one.is_json = args.json;
    one.run(|opened| board(args, &entrant, opened))
}

fn board(args: &Simulate, entrant: &Entrant, opened: &Opened) -> Result<ExitCode> {
    let limits = opened.puzzle.limits_left();
    let info = board_info(opened.ruleset, opened.puzzle);
    let agents = entrant.agents(info, &args.agents.limits, limits);
    if entrant.has_runner() && args.game.moves.is_some() {
        bail!("`--moves` are the runner's moves, and `--runner` chooses others: give one of them");
    }
    let mut plan = Plan {
        policy: entrant.policy.unwrap_or_default(),
        external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
        ..opened.plan()
    };
    if entrant.has_runner() {
        (plan.moves, plan.chasers) = (None, None);
    }
    let seed = args.game.seed.or(opened.given.seed);
    let is_long = args.runs.is_some() && plan.moves.is_none() && entrant.is_solver_alone();
    let max_turns = || {
        if is_long && may_escape(&*opened.game, limits) {
            MAX_TURNS
        } else {
            TURNS
        }
    };
    let runs = Runs {
        args,
        opened,
        turns: args.game.turns.unwrap_or_else(max_turns),
        seed: seed.unwrap_or_else(fresh_seed),
    };
    let played = match (opened.game.simulator(&plan), args.runs) {
        (Ok(simulator), Some(number)) => runs.many(number, &*simulator, &plan),
        (Ok(simulator), None) => runs.one(&*simulator),
        (Err(error), _) => {
            let mut out = io::stdout().lock();
            let mut writer = writer(&args.layout, opened, &mut out);
            finish(Err(error), &mut writer, opened)
        }
    };
    if let Some(agents) = &agents {
        write!(io::stderr(), "{}", agents.close())?;
    }
    played
}

/// The default limit on the number of turns under best play, which may wait for thousands of turns.
const MAX_TURNS: usize = 100 * TURNS;

/// Returns false if a quick search rules out an escape.
fn may_escape(game: &dyn game::Game, limits: Limits) -> bool {
    let few = Limits {
        max_states: Some(QUICK),
        ..limits
    };
    game.solve(Order::DepthFirst, &few).verdict() != Verdict::Caught
}

const QUICK: u64 = 1 << 16;

/// Returns a seed that is short enough to type.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

struct Runs<'a> {
    args: &'a Simulate,
    opened: &'a Opened<'a>,
    turns: usize,
    seed: u64,
}

impl Runs<'_> {
    fn one(&self, simulator: &dyn Simulator) -> Result<ExitCode> {
        let mut out = BufWriter::new(io::stdout().lock());
        let mut writer = writer(&self.args.layout, self.opened, &mut out);
        let result = simulator.play(Rng::new(self.seed), self.turns, Some(&mut writer));
        let gathered = result.as_ref().ok().and_then(|result| result.gathered);
        let ending = result.map(|result| result.ending);
        let code = finish(ending, &mut writer, self.opened)?;
        drop(writer);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(&self, runs: u64, simulator: &dyn Simulator, plan: &Plan) -> Result<ExitCode> {
        let series = Series {
            seed: self.seed,
            runs,
            max_turns: self.turns,
            limits: plan.limits,
        };
        let pool = self.opened.one.options.pool()?;
        let (games, fault) = series.play(&pool, simulator, &mut |_| {})?;
        if let Some(fault) = fault {
            writeln!(io::stderr(), "{fault}")?;
        }
        self.print(&games, plan)?;
        match series.limit(&games).or(games.limit) {
            None => Ok(ExitCode::SUCCESS),
            Some(limit) => {
                exit::stopped(&format!("{limit} after {} of {runs} games", games.count()))
            }
        }
    }

    fn print(&self, games: &Games, plan: &Plan) -> Result<()> {
        let runner = self.args.agents.roles.runner.first().cloned();
        let policy = runner.unwrap_or_else(|| match plan.moves {
            Some(_) => "moves".to_owned(),
            None => plan.policy.name().to_owned(),
        });
        let mut statistics = games.statistics();
        (statistics.seed, statistics.policy) = (Some(self.seed), Some(policy));
        let mut out = io::stdout().lock();
        if self.args.json {
            getaway_board::puzzle::written::to_writer(&mut out, &statistics)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", statistics.text())?;
        }
        Ok(())
    }
}
