"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const root = document.documentElement;

  // Colours: as the system has them, light, dark. Where nothing can be stored, they are not kept.
  const themes = ["", "light", "dark"];
  const words = { "": "as the system has them", light: "light", dark: "dark" };
  const signs = { "": "◐", light: "☀", dark: "☾" };
  const stored = () => { try { return localStorage.getItem("ripple-theme") || ""; } catch { return ""; } };
  const setTheme = (theme) => {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    $("theme").textContent = signs[theme];
    $("theme").setAttribute("aria-label", "Colours: " + words[theme]);
    $("theme").title = "Colours: " + words[theme];
  };
  setTheme(themes.includes(stored()) ? stored() : "");
  $("theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(root.dataset.theme || "") + 1) % themes.length];
    setTheme(next);
    try { localStorage.setItem("ripple-theme", next); } catch { /* It holds for this page. */ }
  });

  // Filters of the list of differences.
  const cards = [...document.querySelectorAll(".difference")];
  const form = document.querySelector("form[role=search]");
  if (form) {
    const texts = new Map();
    const textOf = (card) => {
      if (!texts.has(card)) texts.set(card, card.textContent.toLowerCase());
      return texts.get(card);
    };
    const filter = () => {
      const text = $("text").value.trim().toLowerCase();
      const sort = $("class").value;
      const file = $("file").value;
      let count = 0;
      for (const card of cards) {
        const fits = (!sort || card.dataset.class === sort)
          && (!file || card.dataset.files.split("\n").includes(file))
          && (!text || textOf(card).includes(text));
        card.hidden = !fits;
        count += fits;
      }
      $("shown").textContent = count === cards.length
        ? `${count} differences` : `${count} of ${cards.length} differences`;
    };
    form.addEventListener("input", filter);
    form.addEventListener("change", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(filter));
    $("unfold").addEventListener("click", () => {
      const open = cards.some((card) => !card.open);
      for (const card of cards) card.open = open;
      $("unfold").textContent = open ? "Close all" : "Open all";
    });
  }

  // Copies the input of a difference.
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const code = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        const range = document.createRange();
        range.selectNodeContents(code);
        const selection = getSelection();
        selection.removeAllRanges();
        selection.addRange(range);
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  // Links lead into folds, too.
  const visit = () => {
    const name = decodeURIComponent(location.hash.slice(1));
    const target = name && $(name);
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    for (const old of document.querySelectorAll(".here")) old.classList.remove("here");
    if (target.classList.contains("n")) target.classList.add("here");
    target.scrollIntoView({ block: target.classList.contains("n") ? "center" : "start" });
  };
  addEventListener("hashchange", visit);
  visit();

  // Marks of the run that is chosen: executed and infected lines.
  const chosen = $("run");
  if (chosen) {
    const runs = JSON.parse($("runs").textContent);
    const marked = new Set();
    for (const code of document.querySelectorAll(".r code.ex, .r code.in")) marked.add(code);
    const clear = () => {
      for (const code of marked) {
        const mark = code.previousElementSibling;
        mark.textContent = mark.textContent.replace(/[≠•]/g, "");
        code.classList.remove("ex", "in");
        if (mark.textContent.includes("○")) code.classList.add("un");
      }
      marked.clear();
    };
    const put = (lines, sign, name) => {
      for (const file of Object.keys(lines)) {
        for (const line of lines[file]) {
          const number = $(`${file}-${line}`);
          if (!number) continue;
          const mark = number.nextElementSibling;
          const code = mark.nextElementSibling;
          const [, change, rest] = mark.textContent.match(/^(Δ?)[≠•]?(.*)$/);
          mark.textContent = change + sign + rest;
          code.classList.remove("ex", "in", "un");
          code.classList.add(name);
          marked.add(code);
        }
      }
    };
    chosen.addEventListener("change", () => {
      clear();
      const run = runs[chosen.value];
      if (!run) return;
      put(run.e, "•", "ex");
      put(run.i, "≠", "in");
    });
  }

  // Paper cannot be unfolded.
  addEventListener("beforeprint", () => {
    for (const card of cards) card.open = true;
  });
})();
