//! The drawing of a game: the board, the panel, and texts in front of them.

use ratatui::prelude::*;

use super::canvas::{Canvas, CellPosition, Mark, Marks, after, drawn, step};
use super::keys::{self, Command};
use super::layout::{BESIDE, LOW, Parts, ask, draw_lines, keys_line, wrapped};
use super::narration::{self, chart};
use super::pager::Pager;
use super::playing::{Overlay, Playing};
use super::terminal::Leave;
use getaway_board::words::count;
use getaway_play::evaluation::{Evaluation, PositionValue};
use getaway_play::trace::Ending;
use getaway_ruleset::Meaning;

impl Playing<'_> {
    pub fn draw_game(&mut self, frame: &mut Frame) {
        let focus = self.runner().unwrap_or_default();
        let canvas = Canvas::new(&self.play.here.rows, self.theme, self.marks(), focus);
        let parts = Parts::of(frame.area(), |room| canvas.size(room));
        self.board = canvas.draw(parts.board, frame.buffer_mut());
        self.panel(frame, &parts);
        let source = self.source;
        let title = source.file.title(&source.opened.puzzle);
        let title = format!("{}: {title}", source.opened.ruleset.name);
        let address = source.file.address(source.number);
        parts.draw(frame, self.theme, &title, &address, &self.message(&parts));
        frame.render_widget(self.keys(parts.keys.width), parts.keys);
        let last = self.play.session.last();
        let prompt = match &mut self.overlay {
            None => return,
            Some(Overlay::Text(pager)) => return pager.popup(frame, self.theme.charset),
            Some(Overlay::Typing(Command::Jump, typed)) => {
                format!("go to turn (0 to {last}): {typed}")
            }
            Some(Overlay::Typing(_, typed)) => format!("save as (Esc cancels): {typed}"),
            Some(Overlay::Confirm(_)) => {
                "this game is not over: y discards it, any other key keeps it ".into()
            }
        };
        ask(frame, parts.keys, &prompt);
    }

    fn runner(&self) -> Option<CellPosition> {
        narration::runner_at(&self.play.here, &self.theme.legend)
    }

    pub fn move_to(&self, point: Position) -> Option<String> {
        let (rows, cols) = step(self.runner()?, self.board.cell_at(point)?);
        let straight = if rows.abs() < cols.abs() {
            (0, cols.signum())
        } else {
            (rows.signum(), 0)
        };
        let mv = |(rows, cols)| &self.play.pad[((rows + 1) * 3 + cols + 1) as usize];
        let moves = [(rows.signum(), cols.signum()), straight].map(mv);
        moves.into_iter().find(|mv| !mv.is_empty()).cloned()
    }

    /// Returns the last command's message. If there is none, returns the status if no panel shows it; otherwise, the goal at the
    /// start, and later which of several players is to move.
    fn message(&self, parts: &Parts) -> String {
        let (play, now) = (&self.play, self.play.session.now());
        if !play.message.is_empty() {
            return play.message.clone();
        }
        if !parts.panel.is_empty() {
            return match (now, &play.here.ending) {
                (0, None) => {
                    let goal = self.source.opened.ruleset.goal();
                    let key = self.key_of(&Command::Rules);
                    format!("goal: {goal} ({key} shows the rules)")
                }
                _ => self.mover().unwrap_or_default(),
            };
        }
        let values: Vec<_> = self.grouped_values().iter().map(Line::to_string).collect();
        match self.outcome() {
            Some((_, title)) => format!("{title}: {}", self.how_well()),
            None if values.is_empty() => self.mover().unwrap_or_else(|| self.counts(now)),
            None => values.join("; "),
        }
    }

    /// Says which of several players is to move.
    fn mover(&self) -> Option<String> {
        let place = self.theme.legend.place(self.play.here.mover?);
        Some(format!("the player at {place} moves"))
    }

    fn key_of(&self, command: &Command) -> &'static str {
        keys::key_of(command, self.play.hand_pad())
    }

    fn marks(&self) -> Marks {
        let (play, mut marks) = (&self.play, Marks::default());
        let trail = play.trail().filter(|_| play.shows_trail);
        trail.for_each(|cell_position| marks.put(cell_position, Mark::Trail));
        let events = play.here.plies.iter().flat_map(|ply| &ply.events);
        events.for_each(|event| marks.movement(event));
        let Some(mut cell_position) = self.runner() else {
            return marks;
        };
        if matches!(play.here.ending, Some(Ending::Caught { .. })) {
            marks.put(cell_position, Mark::Caught);
        }
        for step in self.steps(play.hint().unwrap_or(&play.begun)) {
            cell_position = after(cell_position, step);
            marks.put(cell_position, Mark::Hint(step));
        }
        marks
    }

    fn steps(&self, mv: &str) -> Vec<(i32, i32)> {
        let place = |text: &str| {
            let at = self.play.pad.iter().position(|own| own == text)? as i32;
            Some((at / 3 - 1, at % 3 - 1))
        };
        match place(mv).filter(|_| !mv.is_empty()) {
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
            .map(|step| self.theme.charset.arrow(step))
            .collect();
        format!("{arrows} {mv}")
    }

    fn panel(&self, frame: &mut Frame, parts: &Parts) {
        let mut area = parts.panel;
        if parts.is_below && area.height <= LOW {
            return self.low_panel(frame, area);
        }
        if parts.is_below {
            let (first, second) = parts.halves(0);
            draw_lines(frame, first, self.facts(first.width));
            let rest = if self.play.shows_values {
                self.values(second.as_size())
            } else {
                self.last_turn()
            };
            return draw_lines(frame, second, rest);
        }
        area.width -= 1;
        let mut lines = self.facts(area.width);
        lines.push(Line::default());
        let room = area.height.saturating_sub(lines.len() as u16);
        lines.extend(self.values(Size::new(area.width, room)));
        lines.extend(self.last_turn());
        draw_lines(frame, area, lines);
    }

    fn facts(&self, width: u16) -> Vec<Line<'static>> {
        let mut facts = self.verdict(width.into());
        let stopped = self.play.stopped();
        facts.extend(stopped.map(|why| Line::raw(why.to_owned())));
        facts.extend(self.status());
        facts
    }

    /// Fills a low panel with the facts that fit; the most important come first.
    fn low_panel(&self, frame: &mut Frame, area: Rect) {
        let facts = [
            self.verdict(0),
            self.grouped_values(),
            self.status(),
            self.last_turn(),
        ];
        let facts = facts.iter().flatten().map(Line::to_string);
        let mut facts: Vec<_> = facts.map(|fact| fact.trim().to_owned()).collect();
        let mut lines = wrapped(&facts.join("; "), area.width.into());
        while lines.len() > area.height.into() && facts.len() > 1 {
            facts.pop();
            lines = wrapped(&facts.join("; "), area.width.into());
        }
        frame.render_widget(Text::from(lines), area);
    }

    fn outcome(&self) -> Option<(Color, String)> {
        let charset = self.theme.charset;
        let (color, sign, word) = match self.play.here.ending.as_ref()? {
            Ending::Escaped { .. } => (Color::Green, charset.pick('★', '*'), "ESCAPED"),
            _ => (Color::Red, charset.pick('✖', 'x'), "CAUGHT"),
        };
        Some((color, format!("{sign} {word} {sign}")))
    }

    fn verdict(&self, width: usize) -> Vec<Line<'static>> {
        let Some((color, title)) = self.outcome() else {
            return Vec::new();
        };
        let (play, theme) = (&self.play, self.theme);
        let band = Line::styled(format!("{title:^width$}"), theme.block(color).bold());
        let what = narration::ending(&*play.session, &play.here, &theme.legend);
        vec![band, Line::raw(what), Line::raw(self.how_well())]
    }

    fn how_well(&self) -> String {
        let has_escaped = matches!(self.play.here.ending, Some(Ending::Escaped { .. }));
        let now = self.play.session.now();
        let moves = count(now as u64, "move");
        match self.fewest() {
            _ if !has_escaped => format!("after {moves}"),
            _ if self.play.is_helped => format!("in {moves}, with help"),
            Some(fewest) if now <= fewest => format!("in {moves}, the fewest possible"),
            Some(fewest) => format!("in {moves}; {fewest} would do"),
            None => format!("in {moves}"),
        }
    }

    fn fewest(&self) -> Option<usize> {
        match self.play.value(0)? {
            PositionValue::Escape { moves } => moves,
            _ => None,
        }
    }

    fn status(&self) -> Vec<Line<'static>> {
        let (play, session) = (&self.play, &self.play.session);
        let (now, last) = (session.now(), session.last());
        let turn = format!("turn {now} of {last} {}", self.slider(now, last));
        let mut lines = vec![Line::raw(turn), Line::raw(self.counts(now))];
        if play.shows_values {
            lines.extend(self.prospects());
        }
        let gathered = play.here.gathered;
        lines.extend(gathered.map(|gathered| Line::raw(format!("gathered: {gathered}"))));
        if session.is_by_chance() {
            let seed = format!("seed {}", session.seed());
            lines.push(Line::styled(seed, self.theme.faint()));
        }
        let active = [self.pace(), self.hint()].into_iter().flatten();
        let style = self.theme.color(Color::Cyan);
        lines.extend(active.map(|text| Line::styled(text, style)));
        lines
    }

    fn counts(&self, now: usize) -> String {
        match (self.play.value(0), self.fewest()) {
            (_, Some(fewest)) => format!("moves: {now}   fewest possible: {fewest}"),
            (Some(value @ PositionValue::Chance(_)), _) if self.play.shows_values => {
                format!("best play from the start: {value}")
            }
            _ => format!("moves: {now}"),
        }
    }

    fn pace(&self) -> Option<String> {
        let pace = self.play.pace().map(|pace| pace.as_millis());
        match (self.play.is_watched, pace) {
            (false, pace) => Some(format!("the solver plays, a move in {} ms", pace?)),
            (_, Some(pace)) => Some(format!("watching, a move in {pace} ms")),
            (_, None) => (!self.play.is_over()).then(|| "paused".into()),
        }
    }

    fn slider(&self, now: usize, last: usize) -> String {
        const MAX: usize = 11;
        let Some(at) = (now * MAX).checked_div(last) else {
            return String::new();
        };
        let (knob, line) = self.theme.charset.pick(("●", "─"), ("o", "-"));
        format!("{}{knob}{}", line.repeat(at), line.repeat(MAX - at))
    }

    fn prospects(&self) -> Vec<Line<'static>> {
        let (play, theme) = (&self.play, self.theme);
        let known = play.known().filter(|_| play.here.ending.is_none());
        let lost = play.lost_since().map(|turn| match turn {
            0 => "there is no escape from the start".to_owned(),
            turn => format!("lost since move {turn}"),
        });
        let lost = lost.map(|text| Line::styled(text, theme.color(Color::Red).bold()));
        let mut lines = Vec::from_iter(lost);
        if let Some(Ok(evaluation)) = known
            && play.is_watched
            && play.here.gathered.is_none()
            && matches!(evaluation.value, PositionValue::Escape { .. })
        {
            lines.push(Line::styled("can still escape", theme.color(Color::Green)));
        }
        if play.is_controlled {
            let text = "if chasers keep to their rules:";
            lines.push(Line::styled(text, theme.faint()));
        }
        match known {
            Some(Ok(evaluation)) => lines.push(Line::raw(format!("now: {}", evaluation.value))),
            Some(Err(why)) => lines.push(Line::styled(why.clone(), theme.faint())),
            None if play.here.ending.is_none() && self.asker.is_waiting() => {
                lines.push(Line::styled("thinking...", theme.faint()));
            }
            None => {}
        }
        lines
    }

    fn hint(&self) -> Option<String> {
        let text = match (self.play.hint(), self.play.known()) {
            _ if !self.play.is_hinting => return None,
            (Some(mv), _) => format!("hint: {}", self.move_text(mv)),
            (None, None) => "hint: thinking...".into(),
            (None, Some(Err(why))) => format!("no hint: {why}"),
            (None, Some(Ok(_))) => "the solver has no move here".into(),
        };
        Some(text)
    }

    fn chart(&self, width: u16) -> Vec<Line<'static>> {
        let (play, theme) = (&self.play, self.theme);
        if !play.is_watched || !play.session.is_by_chance() || !play.shows_values {
            return Vec::new();
        }
        let turns = width.saturating_sub(2).min(BESIDE - 4);
        let probabilities = play.probabilities(turns.into());
        let rows = chart(&probabilities, theme.charset);
        let title = Line::styled("probability of escape by move", theme.faint());
        let mut lines = vec![title];
        lines.extend(rows.map(|row| Line::styled(row, theme.color(Color::Cyan))));
        lines.push(Line::default());
        lines
    }

    fn shown_evaluation(&self) -> Option<&Evaluation> {
        let known = self.play.known().filter(|_| self.play.shows_values);
        known?.as_ref().ok()
    }

    /// Returns the chart of probabilities, if it is shown, and each move with its value; groups the moves by value if there are
    /// too few rows.
    fn values(&self, room: Size) -> Vec<Line<'static>> {
        let mut lines = self.chart(room.width);
        let Some(evaluation) = self.shown_evaluation() else {
            return lines;
        };
        if lines.len() + evaluation.moves.len() > room.height.into() {
            lines.extend(self.grouped_values());
        } else {
            lines.extend(evaluation.moves.iter().map(|(mv, value)| {
                let text = format!("{:<7} {value}", self.move_text(mv));
                Line::styled(text, self.value_style(evaluation, mv))
            }));
        }
        lines.push(Line::default());
        lines
    }

    fn grouped_values(&self) -> Vec<Line<'static>> {
        let Some(evaluation) = self.shown_evaluation() else {
            return Vec::new();
        };
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        let mut moves: Vec<_> = evaluation.moves.iter().collect();
        moves.sort_by_key(|(mv, _)| evaluation.best.as_ref() != Some(mv));
        for (mv, value) in moves {
            let value = value.to_string();
            match groups.iter_mut().find(|(of, _)| *of == value) {
                Some((_, moves)) => moves.push(mv),
                None => groups.push((value, vec![mv])),
            }
        }
        let line = |(value, moves): &(String, Vec<&str>)| {
            let text = format!("{value}: {}", moves.join(" "));
            Line::styled(text, self.value_style(evaluation, moves[0]))
        };
        groups.iter().map(line).collect()
    }

    fn value_style(&self, evaluation: &Evaluation, mv: &str) -> Style {
        if evaluation.best.as_deref() == Some(mv) {
            self.theme.color(Color::Green).bold()
        } else {
            Style::new()
        }
    }

    fn last_turn(&self) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        let arrow = self.theme.charset.pick("→", "->");
        for ply in &self.play.here.plies {
            if let Some(mv) = &ply.mv {
                let title = format!("{} {}", ply.who, self.move_text(mv));
                lines.push(Line::styled(title, Style::new().bold()));
                continue;
            }
            lines.push(Line::styled(ply.who, Style::new().bold()));
            lines.extend(ply.events.iter().filter_map(|event| {
                let text = narration::event(event, &self.theme.legend, arrow)?;
                Some(Line::styled(text, self.theme.mark(event.actor)))
            }));
        }
        lines
    }

    fn keys(&self, width: u16) -> Line<'static> {
        let (play, charset) = (&self.play, self.theme.charset);
        let (right, left) = (charset.arrow((0, 1)), charset.arrow((0, -1)));
        let watching = format!("? keys  Space pause  {right} {left} step  + - speed  r again");
        let save = self.key_of(&Command::Save);
        let at_end = format!("? keys  u take back  r restart  n next board  {save} save");
        let keys = match play.here.ending {
            _ if play.is_watched => &watching,
            Some(_) => &at_end,
            None if !play.begun.is_empty() => "Enter move now  u take a step back",
            None => {
                "? keys  u take back  i hint  v values  h rules  n next board  Space solver plays"
            }
        };
        let leave = format!("{} leave", self.key_of(&Command::Leave(Leave::Quit)));
        keys_line(keys, &leave, self.theme.faint(), width)
    }

    pub fn help(&self) -> Pager {
        let keys = keys::help(self.play.hand_pad());
        Pager::keys(keys, &format!("\n{}", self.legend()))
    }

    /// Lists what is drawn on the board, and says which cells kill.
    fn legend(&self) -> String {
        let signs = self.theme.legend.signs().iter();
        let sign = |(glyphs, meaning, word): &(&str, Meaning, &str)| {
            let shown = match glyphs.trim() {
                name if name.len() > 3 => format!("{} to {}", &name[..1], &name[name.len() - 1..]),
                glyphs => drawn(glyphs, self.theme),
            };
            let kills = if *meaning == Meaning::Danger {
                " (kills)"
            } else {
                ""
            };
            format!("{shown} {word}{kills}")
        };
        signs.map(sign).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
#[path = "view_tests.rs"]
mod tests;
