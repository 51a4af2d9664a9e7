//! `getaway simulate`: lets a policy or programs play a board, once with a trace or many times with statistics.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::agents::Errors;
use crate::engine::search::Order;
use crate::game::{self, Plan};
use crate::limits::{Limit, Limits};
use crate::play::agent::TURNS;
use crate::play::external::ExternalAgents;
use crate::play::simulation::Simulator;
use crate::play::trace::Ending;
use crate::rng::Rng;
use crate::solution::Verdict;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;

use super::trace::{finish, writer};
use crate::answers::words::{count, path_name};
use crate::cli::agents::{AgentArgs, Entrant, ForfeitArgs, agents, entrant};
use crate::cli::args::{
    BoardArgs, Color, GameArgs, LayoutArgs, SearchArgs, ShortestArgs, ThreadArgs, in_long_help,
    name_of,
};
use crate::cli::conversion::{FileFormat, with_game};
use crate::cli::exit;
use crate::cli::games::{Game, Luck, Series};
use crate::cli::one_board::{OneBoard, Opened};
use crate::cli::options::Options;
use crate::cli::output::progress::Progress;
use crate::cli::output::statistics::Games;
use crate::cli::output::trace::MovesFrom;
use crate::cli::output_file;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  getaway simulate level.txt
  getaway simulate --runs 10000 --seed 1 level.txt
  getaway simulate --policy greedy --runs 1000 level.txt
  getaway simulate --runner 'python3 mine.py' --runs 1000 --seed 1 level.txt")]
#[command(mut_args(|arg| in_long_help(arg, &["file", "moves", "shortest"])))]
#[command(mut_arg("seed", |seed| seed.help("The seed for chance [default: header `seed`, or new]")))]
pub struct Simulate {
    #[command(flatten)]
    pub board: BoardArgs,
    /// Play N games on all cores and print statistics.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[arg(conflicts_with_all = ["compact", "animate", "columns", "line_width"])]
    pub runs: Option<u64>,
    /// Save the first, best and worst game of `--runs` here.
    ///
    /// They are board files for `trace`, `render` and `play --spectate`. Each game then has its own seed.
    #[arg(long, value_name = "FOLDER", requires = "runs")]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub game: GameArgs,
    /// Print JSON of each half turn, or of the statistics.
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
    pub forfeits: ForfeitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

pub fn run(args: &Simulate, color: Color) -> Result<ExitCode> {
    let mut options = Options::new(&args.search, args.threads.threads)?;
    options.order = args.shortest.order();
    let entrant = entrant(&args.agents)?;
    if let Some(strategy) = entrant.strategy {
        options.set_header("strategy", strategy);
    }
    let one = OneBoard::new(&args.board.file, &options, color).with_json(args.json);
    one.run(|opened| board((args, &entrant), &one, opened))
}

fn board(
    (args, entrant): (&Simulate, &Entrant),
    one: &OneBoard,
    opened: &Opened,
) -> Result<ExitCode> {
    let given = opened.given;
    let limits = opened.puzzle.limits_left();
    let errors = args.runs.map_or(Errors::Shown, |_| Errors::Kept);
    let board = (opened.ruleset, opened.puzzle);
    let agents = agents(
        &entrant.commands,
        board,
        (&args.agents.manner, errors, limits),
    )?;
    if entrant.has_runner() && args.game.moves.is_some() {
        bail!("`--moves` are the runner's moves, and `--runner` chooses others: give one of them");
    }
    let mut plan = Plan {
        policy: entrant.policy.unwrap_or_default(),
        external: agents.as_ref().map(|agents| agents as &dyn ExternalAgents),
        ..opened.plan(&args.game, one.options.order)
    };
    if entrant.has_runner() {
        (plan.moves, plan.chasers) = (None, None);
    }
    let runs = Runs {
        args,
        turns: match args.runs {
            Some(_) if plan.moves.is_none() => {
                entrant.turns(args.game.turns, || has_hope(&*opened.game, limits))
            }
            _ => args.game.turns.unwrap_or(TURNS),
        },
        seed: args.game.seed.or(given.seed).unwrap_or_else(fresh_seed),
    };
    match opened.game.simulator(&plan) {
        Ok(simulator) if args.runs.is_some() => runs.many(one, opened, (&*simulator, &plan)),
        Ok(simulator) => runs.one(one, opened, &*simulator),
        Err(error) => {
            let from = MovesFrom::of(args.game.moves.as_deref());
            let mut out = io::stdout().lock();
            let layout = (&args.layout, args.json);
            let mut writer = writer(layout, one, opened, (from, &mut out))?;
            finish(Err(error), &mut writer, (one, opened), from)
        }
    }
}

/// Returns false if a quick search rules out an escape, so that waiting can't help.
fn has_hope(game: &dyn game::Game, limits: Limits) -> bool {
    let few = Limits {
        max_states: Some(QUICK),
        ..limits
    };
    game.solve(Order::DepthFirst, &few).verdict() != Verdict::Caught
}

const QUICK: u64 = 1 << 16;

/// Returns a random seed that is short enough to type.
pub fn fresh_seed() -> u64 {
    RandomState::new().hash_one(0) >> 32
}

struct Runs<'a> {
    args: &'a Simulate,
    turns: usize,
    seed: u64,
}

impl Runs<'_> {
    fn one(&self, one: &OneBoard, opened: &Opened, simulator: &dyn Simulator) -> Result<ExitCode> {
        let from = MovesFrom::of(self.args.game.moves.as_deref());
        let mut out = BufWriter::new(io::stdout().lock());
        let layout = (&self.args.layout, self.args.json);
        let mut writer = writer(layout, one, opened, (from, &mut out))?;
        let rng = Rng::new(self.seed);
        let result = simulator.play(rng, self.turns, Some(&mut writer));
        let gathered = result.as_ref().ok().and_then(|result| result.gathered);
        let ending = result.map(|result| result.ending);
        let code = finish(ending, &mut writer, (one, opened), from)?;
        drop(writer);
        if let Some(gathered) = gathered.filter(|_| !self.args.json) {
            writeln!(out, "gathered {gathered}")?;
        }
        out.flush()?;
        Ok(code)
    }

    fn many(
        &self,
        one: &OneBoard,
        opened: &Opened,
        (simulator, plan): (&dyn Simulator, &Plan),
    ) -> Result<ExitCode> {
        let runs = self.args.runs.unwrap_or(1);
        let pool = one.options.pool()?;
        let bar = Progress::where_wanted(|| Progress::of(runs, "games"));
        let series = Series {
            seed: self.seed,
            runs,
            turns: self.turns,
            luck: self.args.keep.as_ref().map_or(Luck::Shared, |_| Luck::Own),
            max_forfeits: self.args.forfeits.max_forfeits,
            limits: plan.limits,
        };
        let mut games = Games::of_turns(self.turns);
        let mut kept = self.args.keep.as_ref().map(|_| Kept::default());
        let fault = pool.install(|| {
            series.play(simulator, &bar, &mut |game| {
                games.add(&game.result);
                if let Some(kept) = &mut kept {
                    kept.add(&game);
                }
            })
        });
        bar.finish();
        if let Some(fault) = fault? {
            writeln!(io::stderr(), "{fault}")?;
        }
        if let (Some(folder), Some(kept)) = (&self.args.keep, kept) {
            kept.write(folder, (one, opened), self.seed)?;
        }
        self.tell(games, plan)
    }

    fn tell(&self, games: Games, plan: &Plan) -> Result<ExitCode> {
        let (runs, done) = (self.args.runs.unwrap_or(1), games.count());
        let runner = self.args.agents.roles.runner.first().cloned();
        let policy = runner.unwrap_or_else(|| policy_name(plan));
        let mut statistics = games.statistics();
        (statistics.seed, statistics.policy) = (Some(self.seed), Some(policy));
        let mut out = io::stdout().lock();
        if self.args.json {
            crate::puzzle::written::to_writer(&mut out, &statistics)?;
            writeln!(out)?;
        } else {
            write!(out, "{}", statistics.text())?;
        }
        if done == runs {
            return Ok(ExitCode::SUCCESS);
        }
        let limit = plan.limits.check_time().err().unwrap_or(Limit::Interrupt);
        writeln!(io::stderr(), "{limit} after {done} of {runs} games")?;
        Ok(exit::undecided())
    }
}

fn policy_name(plan: &Plan) -> String {
    match plan.moves {
        Some(_) => "moves".to_owned(),
        None => name_of(&plan.policy),
    }
}

#[derive(Debug, Default)]
struct Kept(Option<[Game; 3]>);

/// Ranks a game by its result for the runner: early escapes first, then games with long survival.
fn rank(game: &Game) -> (u8, isize) {
    let turns = game.result.ending.turns() as isize;
    match game.result.ending {
        Ending::Escaped { .. } => (2, -turns),
        Ending::Open { .. } => (1, turns),
        Ending::Caught { .. } | Ending::Forfeited { .. } | Ending::Illegal { .. } => (0, turns),
    }
}

impl Kept {
    /// Adds a game; of equal games, the first is kept.
    fn add(&mut self, game: &Game) {
        match &mut self.0 {
            None => self.0 = Some([game; 3].map(Game::clone)),
            Some([_, best, _]) if rank(game) > rank(best) => *best = game.clone(),
            Some([_, _, worst]) if rank(game) < rank(worst) => *worst = game.clone(),
            Some(_) => {}
        }
    }

    fn write(&self, folder: &Path, (one, opened): (&OneBoard, &Opened), seed: u64) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| path_name(folder))?;
        let names = ["first", "best", "worst"];
        for (which, game) in names.into_iter().zip(self.0.iter().flatten()) {
            let text = game.board(one, opened, (which, seed))?;
            let path = folder.join(format!("{which}.txt"));
            output_file::write(&path, |out| Ok(out.write_all(&text)?))?;
        }
        Ok(())
    }
}

impl Game {
    fn board(
        &self,
        one: &OneBoard,
        opened: &Opened,
        (which, seed): (&str, u64),
    ) -> Result<Vec<u8>> {
        let ending = &self.result.ending;
        let note = format!(
            "{which} of the games from seed {seed}, number {}: {} after {}",
            self.number,
            ending.reason(),
            count(ending.turns() as u64, "move")
        );
        let headers = [
            ("note", &*note),
            ("seed", &self.seed.to_string()),
            ("moves", &self.line.moves.join(" ")),
            ("chasers", &self.line.chasers.join(" ")),
        ];
        with_game(
            (opened.ruleset, opened.puzzle),
            &headers,
            (FileFormat::Text, one.options),
        )
        .map_err(|_| anyhow!("{}: this board can't be written as text", one.path()))
    }
}
