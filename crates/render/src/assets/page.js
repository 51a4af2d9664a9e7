(() => {
  "use strict";
  const { delay, positions } = JSON.parse(document.getElementById("game").textContent);
  const at = (id) => document.getElementById(id);
  const [board, marks, caption, says, slider, play] =
    ["board", "marks", "caption", "says", "slider", "play"].map(at);
  const end = positions.length - 1;
  let now = 0;
  let timer = null;

  // Figures walk only in a step forward; a jump shows the new position at once.
  function show(position, jumps) {
    now = Math.min(Math.max(position, 0), end);
    const shown = positions[now];
    board.classList.toggle("jump", jumps);
    marks.innerHTML = shown.marks;
    caption.textContent = shown.caption;
    says.textContent = shown.says;
    slider.value = String(shown.turn);
    slider.setAttribute("aria-valuetext", shown.caption);
    at("first").disabled = at("back").disabled = now === 0;
    at("next").disabled = at("last").disabled = now === end;
  }

  // During automatic play, the sentences change too fast to be read aloud.
  function setPlaying(isPlaying) {
    clearTimeout(timer);
    timer = null;
    says.setAttribute("aria-live", isPlaying ? "off" : "polite");
    play.toggleAttribute("data-playing", isPlaying);
    play.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    if (isPlaying) wait();
  }

  function wait() {
    timer = setTimeout(() => {
      if (now + 1 >= end) setPlaying(false);
      else wait();
      show(now + 1, false);
    }, delay / Number(at("speed").value));
  }

  function toggle() {
    if (timer === null && now === end) show(0, true);
    setPlaying(timer === null && end > 0);
  }

  function step(by) {
    setPlaying(false);
    show(now + by, by !== 1);
  }

  function jump(position) {
    setPlaying(false);
    show(position, true);
  }

  const keys = {
    " ": toggle,
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Home: () => jump(0),
    End: () => jump(end),
    h: () => at("rules").togglePopover(),
  };

  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const isOwn =
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLButtonElement && key === " ") ||
      (target === slider && key !== " ");
    if (isOwn || event.ctrlKey || event.altKey || event.metaKey || !(key in keys)) return;
    event.preventDefault();
    keys[key]();
  });

  // A swipe to the left steps forward, like turning a page; a tap plays or pauses.
  let down = null;
  const stage = board.parentElement;
  stage.addEventListener("pointerdown", (event) => {
    down = event.isPrimary ? { x: event.clientX, y: event.clientY } : null;
  });
  stage.addEventListener("pointercancel", () => (down = null));
  stage.addEventListener("pointerup", (event) => {
    if (down === null) return;
    const [x, y] = [event.clientX - down.x, event.clientY - down.y];
    down = null;
    if (Math.abs(x) > 40 && Math.abs(x) > Math.abs(y)) step(x < 0 ? 1 : -1);
    else if (Math.hypot(x, y) < 10) toggle();
  });

  play.addEventListener("click", toggle);
  at("first").addEventListener("click", () => jump(0));
  at("back").addEventListener("click", () => step(-1));
  at("next").addEventListener("click", () => step(1));
  at("last").addEventListener("click", () => jump(end));
  slider.addEventListener("input", () =>
    jump(positions.findLastIndex(({ turn }) => turn <= Number(slider.value))));

  const theme = at("theme");
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const showTheme = () => theme.setAttribute("aria-pressed", String(isDark()));
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  dark.addEventListener("change", showTheme);
  showTheme();

  show(0, true);
  play.disabled = end === 0;
})();
