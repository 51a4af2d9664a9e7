//! The drawing of a game: the board, the panel, and texts in front of them.

use crate::advice::{Advice, Worth};
use crate::play::trace::Ending;
use ratatui::Frame;
use ratatui::layout::{Position as Point, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Text};

use super::canvas::{Canvas, Mark, Marks};
use super::graph::graph;
use super::keys::{self, Command};
use super::layout::{
    BESIDE, LOW, Parts, Title, all_wrapped, ask, cut, is_too_small, keys_line, shortened,
    title_line, wrapped,
};
use super::look::ScreenStyle;
use super::pager::Pager;
use super::play::{Mode, Play};
use super::tell;
use crate::answers::words::count;

pub struct View<'g> {
    pub play: Play<'g>,
    pub title: Title,
    pub look: ScreenStyle,
    pub is_thinking: bool,
    pub front: Front,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Front {
    #[default]
    Nothing,
    Text(Pager),
    Jump(String),
    SaveAs(String),
    Confirm(Command),
}

impl View<'_> {
    pub fn draw(&mut self, frame: &mut Frame) {
        if is_too_small(frame) {
            return;
        }
        let marks = self.marks();
        let canvas = self.canvas(&marks);
        let parts = Parts::of(frame.area(), |room| canvas.size(room));
        let title = title_line(&self.title, self.look, parts.title.width);
        frame.render_widget(title, parts.title);
        frame.render_widget(&canvas, parts.board);
        self.panel(frame, &parts);
        let message = self.message(&parts);
        let message = shortened(&message, parts.message.width, self.look.charset);
        let message = Line::styled(message, self.look.colour(Color::Cyan));
        frame.render_widget(message, parts.message);
        frame.render_widget(self.keys(parts.keys.width), parts.keys);
        let last = self.play.session().last();
        let prompt = match &mut self.front {
            Front::Nothing => return,
            Front::Text(pager) => return pager.popup(frame, self.look.charset),
            Front::Jump(typed) => format!("go to turn (0 to {last}): {typed}"),
            Front::SaveAs(typed) => format!("save as (Esc cancels): {typed}"),
            Front::Confirm(_) => {
                "this game is not over: y discards it, any other key goes on ".into()
            }
        };
        ask(frame, parts.keys, &prompt);
    }

    fn canvas<'c>(&'c self, marks: &'c Marks) -> Canvas<'c> {
        let focus = tell::runner_at(self.play.here(), &self.look.legend).unwrap_or_default();
        Canvas::new(&self.play.here().rows, self.look, marks, focus)
    }

    pub fn move_to(&self, screen: Rect, point: Point) -> Option<String> {
        let marks = Marks::default();
        let canvas = self.canvas(&marks);
        let (row, col) =
            canvas.spot_at(Parts::of(screen, |room| canvas.size(room)).board, point)?;
        let runner = tell::runner_at(self.play.here(), &self.look.legend)?;
        let (rows, cols) = super::canvas::step(runner, (row, col));
        let straight = if rows.abs() < cols.abs() {
            (0, cols.signum())
        } else {
            (rows.signum(), 0)
        };
        let mv = |(rows, cols): (i64, i64)| &self.play.pad()[((rows + 1) * 3 + cols + 1) as usize];
        let moves = [(rows.signum(), cols.signum()), straight].map(mv);
        moves.into_iter().find(|mv| !mv.is_empty()).cloned()
    }

    /// Returns the message of the last command. If there is none, returns the status where no panel shows it, or the goal at the
    /// start.
    fn message(&self, parts: &Parts) -> String {
        let now = self.play.session().now();
        if !self.play.message.is_empty() {
            return self.play.message.clone();
        }
        if parts.panel.is_empty() {
            let values = self.values_by_worth().into_iter();
            let values: Vec<_> = values.map(|line| line.to_string()).collect();
            return match self.play.here().ending {
                Some(_) => format!("{}: {}", self.outcome().1, self.how_well()),
                None if values.is_empty() => self.counts(now),
                None => values.join("; "),
            };
        }
        match now {
            0 if self.play.here().ending.is_none() => {
                let (key, goal) = (self.key(&Command::Rules), self.title.ruleset.goal());
                format!("goal: {goal} ({key} shows the rules)")
            }
            _ => String::new(),
        }
    }

    fn key(&self, command: &Command) -> &'static str {
        keys::key_of(command, self.play.hand_pad())
    }

    fn marks(&self) -> Marks {
        let (play, mut marks) = (&self.play, Marks::default());
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

    fn move_text(&self, mv: &str) -> String {
        let arrows: String = self
            .steps(mv)
            .into_iter()
            .map(|step| self.look.charset.arrow(step))
            .collect();
        format!("{arrows} {mv}")
    }

    fn panel(&self, frame: &mut Frame, parts: &Parts) {
        if parts.is_below && parts.panel.height <= LOW {
            return self.low_panel(frame, parts.panel);
        }
        let width = if parts.is_below {
            parts.halves(0).0.width
        } else {
            parts.panel.width - 1
        };
        let mut left = self.verdict(width.into());
        if let Some(why) = self.play.stopped() {
            left.push(Line::raw(why.to_owned()));
        }
        left.extend(self.status());
        if parts.is_below {
            let (first, second) = parts.halves(0);
            let mut left = all_wrapped(left, first.width);
            cut(&mut left, first.height.into());
            frame.render_widget(Text::from(left), first);
            let rest = if self.play.shows_values {
                self.values(second.width, second.height.into())
            } else {
                self.last_turn()
            };
            let mut rest = all_wrapped(rest, second.width);
            cut(&mut rest, second.height.into());
            frame.render_widget(Text::from(rest), second);
        } else {
            left.push(Line::default());
            let room = usize::from(parts.panel.height).saturating_sub(left.len());
            left.extend(self.values(width, room));
            left.extend(self.last_turn());
            let mut left = all_wrapped(left, width);
            cut(&mut left, parts.panel.height.into());
            frame.render_widget(Text::from(left), parts.panel);
        }
    }

    /// Fills a low panel with the facts that fit; the most important come first.
    fn low_panel(&self, frame: &mut Frame, area: Rect) {
        let facts = [
            self.verdict(0),
            self.values_by_worth(),
            self.status(),
            self.last_turn(),
        ];
        let facts = facts.iter().flatten().map(Line::to_string);
        let mut facts: Vec<_> = facts.map(|fact| fact.trim().to_owned()).collect();
        let mut lines = Vec::new();
        while !facts.is_empty() {
            lines = wrapped(&facts.join("; "), area.width.into());
            if lines.len() <= area.height.into() {
                break;
            }
            facts.pop();
        }
        frame.render_widget(Text::from(lines), area);
    }

    fn outcome(&self) -> (Color, String) {
        let charset = self.look.charset;
        if matches!(self.play.here().ending, Some(Ending::Escaped { .. })) {
            return (
                Color::Green,
                format!("{0} ESCAPED {0}", charset.pick('★', '*')),
            );
        }
        (
            Color::Red,
            format!("{0} CAUGHT {0}", charset.pick('✖', 'x')),
        )
    }

    fn verdict(&self, width: usize) -> Vec<Line<'static>> {
        let (play, look) = (&self.play, self.look);
        if play.here().ending.is_none() {
            return Vec::new();
        }
        let (colour, title) = self.outcome();
        let what = tell::ending(play.session(), play.here(), &look.legend);
        let style = look.block(colour).add_modifier(Modifier::BOLD);
        let band = |text: &str| Line::styled(format!("{text:^width$}"), style);
        vec![band(&title), Line::raw(what), Line::raw(self.how_well())]
    }

    fn how_well(&self) -> String {
        let now = self.play.session().now();
        let moves = count(now as u64, "move");
        let is_escape = matches!(self.play.here().ending, Some(Ending::Escaped { .. }));
        match self.fewest() {
            _ if !is_escape => format!("after {moves}"),
            Some(fewest) if now <= fewest => format!("in {moves}, the fewest possible"),
            Some(fewest) => format!("in {moves}; {fewest} would do"),
            None => format!("in {moves}"),
        }
    }

    fn fewest(&self) -> Option<usize> {
        match self.play.worth_of_start()? {
            Worth::Escape { moves } => moves,
            _ => None,
        }
    }

    fn status(&self) -> Vec<Line<'static>> {
        let (play, session) = (&self.play, self.play.session());
        let (now, last) = (session.now(), session.last());
        let turn = format!("turn {now} of {last} {}", self.slider(now, last));
        let mut lines = vec![Line::raw(turn), Line::raw(self.counts(now))];
        lines.extend(self.prospects());
        if let Some(gathered) = play.here().gathered {
            lines.push(Line::raw(format!("gathered: {gathered}")));
        }
        if play.is_by_chance() {
            let seed = format!("seed {}", session.seed());
            lines.push(Line::styled(seed, self.look.faint()));
        }
        lines.extend(self.pace());
        lines.extend(self.hint());
        lines
    }

    fn counts(&self, now: usize) -> String {
        match (self.play.worth_of_start(), self.fewest()) {
            (_, Some(fewest)) => format!("moves: {now}   fewest possible: {fewest}"),
            (Some(worth @ Worth::Chance { .. }), _) if self.play.shows_values => {
                format!("best play from the start: {worth}")
            }
            _ => format!("moves: {now}"),
        }
    }

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

    fn is_over(&self) -> bool {
        self.play.here().ending.is_some() || self.play.stopped().is_some()
    }

    fn slider(&self, now: usize, last: usize) -> String {
        const WIDTH: usize = 12;
        if last == 0 {
            return String::new();
        }
        let knob = now * (WIDTH - 1) / last;
        let sign = |at: usize| {
            if at == knob {
                self.look.charset.pick('●', 'o')
            } else {
                self.look.charset.pick('─', '-')
            }
        };
        (0..WIDTH).map(sign).collect()
    }

    fn prospects(&self) -> Vec<Line<'static>> {
        let (play, look) = (&self.play, self.look);
        let is_over = play.here().ending.is_some();
        let mut lines = Vec::new();
        if !play.shows_values {
            return lines;
        }
        let lost = |text| {
            let style = look.colour(Color::Red).add_modifier(Modifier::BOLD);
            Line::styled(text, style)
        };
        match play.lost_since() {
            Some(0) => lines.push(lost("there is no escape from the start".to_owned())),
            Some(turn) => lines.push(lost(format!("lost since move {turn}"))),
            None => {}
        }
        let can_escape =
            |worth: &Worth| play.here().gathered.is_none() && matches!(worth, Worth::Escape { .. });
        if let (Mode::Live | Mode::Saved, Some(Ok(advice)), false) =
            (play.mode(), play.known(), is_over)
            && can_escape(&advice.worth)
        {
            lines.push(Line::styled("can still escape", look.colour(Color::Green)));
        }
        if play.is_led() {
            let text = "if chasers kept to their rules:";
            lines.push(Line::styled(text, look.faint()));
        }
        match play.known() {
            _ if is_over => {}
            Some(Ok(advice)) => {
                lines.push(Line::raw(format!("now: {}", advice.worth)));
            }
            Some(Err(why)) => lines.push(Line::styled(why.clone(), look.faint())),
            None if self.is_thinking => lines.push(Line::styled("thinking...", look.faint())),
            None => {}
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

    fn graph(&self, width: u16) -> Vec<Line<'static>> {
        let play = &self.play;
        let is_shown = play.mode() != Mode::Hand && play.is_by_chance();
        if !is_shown || !play.shows_values {
            return Vec::new();
        }
        let turns = width.saturating_sub(2).min(BESIDE - 4);
        let rows = graph(&play.probabilities(turns.into()), self.look.charset);
        let style = self.look.colour(Color::Cyan);
        let rows = rows.into_iter().map(|row| Line::styled(row, style));
        let title = Line::styled("probability of escape by move", self.look.faint());
        [title]
            .into_iter()
            .chain(rows)
            .chain([Line::default()])
            .collect()
    }

    /// Returns each move with its value. If there are too few rows, groups the moves by value.
    fn values(&self, width: u16, rows: usize) -> Vec<Line<'static>> {
        let mut lines = self.graph(width);
        let known = self.play.known().filter(|_| self.play.shows_values);
        let Some(Ok(advice)) = known else {
            return lines;
        };
        if lines.len() + advice.moves.len() > rows {
            lines.extend(self.values_by_worth());
        } else {
            let line = |(mv, worth): &(String, Worth)| {
                let text = format!("{:<7} {}", self.move_text(mv), worth);
                Line::styled(text, self.worth_style(advice, mv))
            };
            lines.extend(advice.moves.iter().map(line));
        }
        lines.push(Line::default());
        lines
    }

    fn values_by_worth(&self) -> Vec<Line<'static>> {
        let known = self.play.known().filter(|_| self.play.shows_values);
        let Some(Ok(advice)) = known else {
            return Vec::new();
        };
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        let best = |(mv, _): &&(String, Worth)| advice.best.as_ref() == Some(mv);
        let all = advice.moves.iter();
        for (mv, worth) in all.clone().filter(best).chain(all.filter(|mv| !best(mv))) {
            let worth = worth.to_string();
            match groups.iter_mut().find(|(of, _)| *of == worth) {
                Some((_, moves)) => moves.push(mv),
                None => groups.push((worth, vec![mv])),
            }
        }
        let line = |(worth, moves): &(String, Vec<&str>)| {
            let text = format!("{worth}: {}", moves.join(" "));
            Line::styled(text, self.worth_style(advice, moves[0]))
        };
        groups.iter().map(line).collect()
    }

    fn worth_style(&self, advice: &Advice, mv: &str) -> Style {
        if advice.best.as_deref() == Some(mv) {
            self.look.colour(Color::Green).add_modifier(Modifier::BOLD)
        } else {
            Style::new()
        }
    }

    fn last_turn(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let arrow = self.look.charset.pick("→", "->");
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
            let told = events
                .filter_map(|event| Some((event, tell::event(event, &self.look.legend, arrow)?)));
            lines.extend(told.map(|(event, text)| {
                Line::styled(format!("  {text}"), self.look.mark(event.actor))
            }));
        }
        lines
    }

    fn keys(&self, width: u16) -> Line<'static> {
        let (play, charset) = (&self.play, self.look.charset);
        let (right, left) = (charset.arrow((0, 1)), charset.arrow((0, -1)));
        let step = format!("{right} {left} step");
        let save = format!("{} save", self.key(&Command::Save));
        let keys: &[&str] = match play.here().ending {
            _ if play.mode() != Mode::Hand => {
                &["? keys", "Space pause", &step, "+ - speed", "r again"]
            }
            Some(_) => &["? keys", "u take back", "r restart", "n next board", &save],
            None if !play.begun().is_empty() => &["Enter move now", "u take a step back"],
            None => &[
                "? keys",
                "u take back",
                "i hint",
                "v values",
                "h rules",
                "n next board",
                "Space solver plays",
            ],
        };
        let leave = format!("{} leave", self.key(&Command::Quit));
        keys_line(keys, &leave, self.look.faint(), width)
    }

    pub fn help(&self) -> Pager {
        let keys = keys::help(self.play.hand_pad());
        let width = keys.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let mut text: String = keys
            .iter()
            .map(|(keys, what)| format!("{keys:width$}  {what}\n"))
            .collect();
        text += &format!("\n{}", self.title.ruleset.legend);
        Pager::new("keys", &text)
    }
}

#[cfg(test)]
mod tests;
