//! How a game looks on the screen: the board, and beside or below it what there is to know.

use crate::advice::Worth;
use crate::play::trace::Ending;
use ratatui::Frame;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Text};

use super::canvas::{Canvas, Mark, Marks};
use super::graph::graph;
use super::keys;
use super::layout::{BESIDE, Parts, Title, ask, cut, is_too_small, popup, title_line, wrapped};
use super::look::{Charset, Look};
use super::play::{Front, Mode, Play};
use super::tell::{self, count_of};

/// Draws a game. `is_thinking` says that an answer is being looked for.
pub fn draw(frame: &mut Frame, play: &Play, title: &Title, look: Look, is_thinking: bool) {
    if is_too_small(frame) {
        return;
    }
    let view = View {
        play,
        title,
        look,
        is_thinking,
    };
    let marks = view.marks();
    let focus = tell::runner_at(play.here(), &look.legend).unwrap_or_default();
    let canvas = Canvas::new(&play.here().rows, look, &marks, focus);
    let parts = Parts::of(frame.area(), canvas.size());
    frame.render_widget(title_line(title, look, parts.title.width), parts.title);
    frame.render_widget(&canvas, parts.board);
    view.panel(frame, &parts);
    frame.render_widget(
        Line::styled(play.message.as_str(), look.colour(Color::Cyan)),
        parts.message,
    );
    frame.render_widget(view.keys(), parts.keys);
    match &play.front {
        Front::Nothing => {}
        Front::Help => view.help(frame),
        Front::Jump(typed) => {
            let prompt = format!("go to turn (0 to {}): {typed}", play.session().last());
            ask(frame, parts.keys, &prompt);
        }
    }
}

/// A game that is drawn.
struct View<'v, 'g> {
    play: &'v Play<'g>,
    title: &'v Title,
    look: Look,
    is_thinking: bool,
}

impl View<'_, '_> {
    const fn charset(&self) -> Charset {
        self.look.charset
    }

    /// Who went where in the last turn, where the runner was before, and the hint.
    fn marks(&self) -> Marks {
        let (play, mut marks) = (self.play, Marks::default());
        if play.shows_trail {
            play.trail()
                .into_iter()
                .for_each(|spot| marks.put(spot, Mark::Trail));
        }
        marks.movements(&play.here().halves);
        if matches!(play.here().ending, Some(Ending::Caught { .. }))
            && let Some(spot) = tell::runner_at(play.here(), &self.look.legend)
        {
            marks.put(spot, Mark::Caught);
        }
        self.mark_hint(&mut marks);
        marks
    }

    /// Marks the way of the move that is hinted at, or begun.
    fn mark_hint(&self, marks: &mut Marks) {
        let mv = self.play.hint().unwrap_or(self.play.begun());
        let start = tell::runner_at(self.play.here(), &self.look.legend);
        let (Some((row, col)), false) = (start, mv.is_empty()) else {
            return;
        };
        let (mut row, mut col) = (i64::from(row), i64::from(col));
        for (rows, cols) in self.steps(mv) {
            (row, col) = (row + rows, col + cols);
            if let (Ok(row), Ok(col)) = (row.try_into(), col.try_into()) {
                marks.put((row, col), Mark::Hint((rows, cols)));
            }
        }
    }

    /// The steps of a move, by where they lie on the numeric pad.
    fn steps(&self, mv: &str) -> Vec<(i64, i64)> {
        let place = |text: &str| {
            let at = self.play.pad().iter().position(|own| own == text)? as i64;
            Some((at / 3 - 1, at % 3 - 1))
        };
        match place(mv) {
            Some(step) => vec![step],
            None => mv
                .chars()
                .filter_map(|c| place(c.encode_utf8(&mut [0; 4])))
                .collect(),
        }
    }

    /// A move as it is shown: `↑ U`.
    fn move_text(&self, mv: &str) -> String {
        let arrows: String = self
            .steps(mv)
            .into_iter()
            .map(|step| self.charset().arrow(step))
            .collect();
        format!("{arrows} {mv}")
    }

    fn panel(&self, frame: &mut Frame, parts: &Parts) {
        let width = if parts.is_below {
            parts.halves(0).0.width
        } else {
            BESIDE - 1
        };
        let (mut left, right) = (self.verdict(width.into()), self.last_turn());
        if let Some(why) = self.play.stopped() {
            left.extend(wrapped(why, width.into()));
        }
        left.extend(self.status());
        let values = self.values();
        if parts.is_below {
            let (first, second) = parts.halves(0);
            frame.render_widget(Text::from(left), first);
            let mut rest = if self.play.shows_values {
                values
            } else {
                right
            };
            cut(&mut rest, second.height.into());
            frame.render_widget(Text::from(rest), second);
        } else {
            left.push(Line::default());
            left.extend(values);
            left.extend(right);
            cut(&mut left, parts.panel.height.into());
            frame.render_widget(Text::from(left), parts.panel);
        }
    }

    /// A game that is over: how, and how well it was played.
    fn verdict(&self, width: usize) -> Vec<Line<'static>> {
        let (play, look) = (self.play, self.look);
        let (colour, title) = match play.here().ending {
            None => return Vec::new(),
            Some(Ending::Escaped { .. }) => (
                Color::Green,
                format!("{0} ESCAPED {0}", self.charset().pick('★', '*')),
            ),
            Some(_) => (
                Color::Red,
                format!("{0} CAUGHT {0}", self.charset().pick('✖', 'x')),
            ),
        };
        let what = tell::ending(play.session(), play.here(), &look.legend);
        let style = look.block(colour).add_modifier(Modifier::BOLD);
        let band = |text: &str| Line::styled(format!("{text:^width$}"), style);
        let mut lines = vec![band(&title)];
        lines.extend(wrapped(&what, width));
        lines.push(Line::raw(self.how_well()));
        lines
    }

    /// How many moves it took, beside the fewest possible.
    fn how_well(&self) -> String {
        let now = self.play.session().now();
        let moves = count_of(now, "move");
        let is_escape = matches!(self.play.here().ending, Some(Ending::Escaped { .. }));
        match self.fewest() {
            _ if !is_escape => format!("after {moves}"),
            Some(fewest) if now <= fewest => format!("in {moves}, the fewest possible"),
            Some(fewest) => format!("in {moves}; {fewest} would do"),
            None => format!("in {moves}"),
        }
    }

    /// The fewest moves from the start that escape, if that is known.
    fn fewest(&self) -> Option<usize> {
        match self.play.known_of_start()?.as_ref().ok()?.worth {
            Worth::Escape { moves } => moves,
            _ => None,
        }
    }

    /// Where the game stands.
    fn status(&self) -> Vec<Line<'static>> {
        let (play, session) = (self.play, self.play.session());
        let (now, last) = (session.now(), session.last());
        let turn = format!("turn {now} of {last} {}", self.slider(now, last));
        let mut lines = vec![Line::raw(turn)];
        lines.extend(self.moves_beside_fewest(now));
        lines.extend(self.prospects());
        if let Some(gathered) = play.here().gathered {
            lines.push(Line::raw(format!("gathered: {gathered}")));
        }
        if play.is_by_chance() {
            lines.push(Line::styled(
                format!("seed {}", session.seed()),
                self.look.faint(),
            ));
        }
        lines.extend(self.pace());
        lines.extend(self.hint());
        lines
    }

    /// How the game goes on by itself, if it does.
    fn pace(&self) -> Option<Line<'static>> {
        let pace = self.play.pace().map(|pace| pace.as_millis());
        let text = match (self.play.mode(), pace) {
            (Mode::Hand, pace) => format!("the solver plays, a move in {} ms", pace?),
            (_, Some(pace)) => format!("watching, a move in {pace} ms"),
            (_, None) if self.is_over() => return None,
            (_, None) => "paused".into(),
        };
        Some(Line::styled(text, self.look.colour(Color::Cyan)))
    }

    /// Whether there is no going on from here.
    fn is_over(&self) -> bool {
        self.play.here().ending.is_some() || self.play.stopped().is_some()
    }

    /// A bar with a knob where one is.
    fn slider(&self, now: usize, last: usize) -> String {
        const WIDTH: usize = 12;
        if last == 0 {
            return String::new();
        }
        let knob = now * (WIDTH - 1) / last;
        let sign = |at: usize| {
            if at == knob {
                self.charset().pick('●', 'o')
            } else {
                self.charset().pick('─', '-')
            }
        };
        (0..WIDTH).map(sign).collect()
    }

    fn moves_beside_fewest(&self, now: usize) -> Option<Line<'static>> {
        let known = self.play.known_of_start()?.as_ref();
        let fewest = match (known.map(|advice| advice.worth), self.fewest()) {
            (_, Some(fewest)) => format!("moves: {now}   fewest possible: {fewest}"),
            (Ok(worth @ Worth::Chance { .. }), _) => {
                format!("best play from the start: {}", tell::worth(&worth))
            }
            _ => return None,
        };
        Some(Line::raw(fewest))
    }

    /// What becomes of the runner from here, as far as he is to know it.
    fn prospects(&self) -> Vec<Line<'static>> {
        let (play, look) = (self.play, self.look);
        let mut lines = Vec::new();
        match play.lost_since() {
            Some(0) => lines.push(Line::styled(
                "there is no escape from the start",
                lost(look),
            )),
            Some(turn) => {
                let text = format!("lost since move {turn}");
                lines.push(Line::styled(text, lost(look)));
            }
            None => {}
        }
        let can_escape = |worth: &Worth| matches!(worth, Worth::Escape { .. });
        if let (Mode::Live | Mode::Saved, Some(Ok(advice)), None) =
            (play.mode(), play.known(), &play.here().ending)
            && can_escape(&advice.worth)
        {
            lines.push(Line::styled("can still escape", look.colour(Color::Green)));
        }
        if play.is_led() && play.shows_values {
            let text = "if chasers kept to their rules:";
            lines.push(Line::styled(text, look.faint()));
        }
        match play.known() {
            _ if play.here().ending.is_some() => {}
            Some(Ok(advice)) if play.shows_values => {
                lines.push(Line::raw(format!("now: {}", tell::worth(&advice.worth))));
            }
            Some(Err(why)) if play.shows_values => {
                let style = look.faint();
                let why = wrapped(why, usize::from(BESIDE) - 1);
                lines.extend(why.into_iter().map(|line| line.style(style)));
            }
            None if self.is_thinking => lines.push(Line::styled("thinking...", look.faint())),
            _ => {}
        }
        lines
    }

    fn hint(&self) -> Option<Line<'static>> {
        if !self.play.is_hinting {
            return None;
        }
        let text = match (self.play.hint(), self.play.known()) {
            (Some(mv), _) => format!("hint: {}", self.move_text(mv)),
            (None, None) => "hint: thinking...".into(),
            (None, Some(Err(why))) => format!("no hint: {why}"),
            (None, Some(Ok(_))) => "the solver knows no move here".into(),
        };
        Some(Line::styled(text, self.look.colour(Color::Cyan)))
    }

    /// How likely an escape was turn by turn up to here, in a game of chance that is watched.
    fn graph(&self) -> Vec<Line<'static>> {
        const TURNS: usize = BESIDE as usize - 4;
        let play = self.play;
        let is_shown = play.mode() != Mode::Hand && play.is_by_chance();
        if !is_shown || !play.shows_values {
            return Vec::new();
        }
        let rows = graph(&play.probabilities(TURNS), self.charset());
        let style = self.look.colour(Color::Cyan);
        let rows = rows.into_iter().map(|row| Line::styled(row, style));
        let title = Line::styled("probability of escape by move", self.look.faint());
        [title]
            .into_iter()
            .chain(rows)
            .chain([Line::default()])
            .collect()
    }

    /// What each legal move is worth.
    fn values(&self) -> Vec<Line<'static>> {
        let play = self.play;
        let mut lines = self.graph();
        let Some(Ok(advice)) = play.known().filter(|_| play.shows_values) else {
            return lines;
        };
        let is_best = |mv: &str| advice.best.as_deref() == Some(mv);
        let line = |(mv, worth): &(String, Worth)| {
            let text = format!("{:<7} {}", self.move_text(mv), tell::worth(worth));
            let style = if is_best(mv) {
                self.look.colour(Color::Green).add_modifier(Modifier::BOLD)
            } else {
                Style::new()
            };
            Line::styled(text, style)
        };
        lines.extend(advice.moves.iter().map(line));
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines
    }

    /// Who went where in the last turn.
    fn last_turn(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let arrow = self.charset().pick("→", "->");
        for half in &self.play.here().halves {
            let title = match &half.mv {
                Some(mv) => format!("{} {}", half.who, self.move_text(mv)),
                None => half.who.to_owned(),
            };
            lines.push(Line::styled(
                title,
                Style::new().add_modifier(Modifier::BOLD),
            ));
            let events = half.events.iter().filter(|_| half.mv.is_none());
            let told = events.filter_map(|event| Some((event, tell::event(event, arrow)?)));
            lines.extend(told.map(|(event, text)| {
                Line::styled(format!("  {text}"), self.look.mark(event.actor))
            }));
        }
        lines
    }

    /// The most useful keys.
    fn keys(&self) -> Line<'static> {
        if self.play.mode() != Mode::Hand {
            let (right, left) = (self.charset().arrow((0, 1)), self.charset().arrow((0, -1)));
            let text = format!(
                "Space pause  + - speed  {right} {left} step  r again  n p other boards  ? all keys  q leave"
            );
            return Line::styled(text, self.look.faint());
        }
        let text = match &self.play.here().ending {
            Some(_) => "u take back  r restart  n p other boards  Space watch  ? all keys",
            None if !self.play.begun().is_empty() => {
                "more steps, Enter to move now, u to take a step back"
            }
            None => "? all keys  i hint  u take back  Space solver plays  n p other boards",
        };
        let quit = keys::help(self.play.pad())
            .last()
            .map(|(keys, _)| keys.clone());
        let text = format!(
            "{text}  {} leave",
            quit.unwrap_or_default()
                .split(',')
                .next()
                .unwrap_or_default()
        );
        Line::styled(text, self.look.faint())
    }

    /// All keys and all glyphs, in front of the board.
    fn help(&self, frame: &mut Frame) {
        let keys = match self.play.mode() {
            Mode::Hand => keys::help(self.play.pad()),
            Mode::Live | Mode::Saved => keys::help_to_watch(),
        };
        let width = keys.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let mut lines: Vec<_> = keys
            .iter()
            .map(|(keys, what)| Line::raw(format!("{keys:width$}  {what}")))
            .collect();
        lines.push(Line::default());
        lines.extend(wrapped(&self.title.ruleset.legend.to_string(), 60));
        popup(frame, self.look, " keys ", lines);
    }
}

fn lost(look: Look) -> Style {
    look.colour(Color::Red).add_modifier(Modifier::BOLD)
}

#[cfg(test)]
mod tests;
