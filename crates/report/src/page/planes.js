"use strict";
(() => {
  const $ = (id) => document.getElementById(id);

  // Draws the plane through the input space whose axes are chosen.
  const [across, up] = [$("across"), $("up")];
  if (across && up) {
    const { axes, planes } = JSON.parse($("planes").textContent);
    const svg = document.querySelector("#plane svg");
    const [side, left, above] = [18, 80, 18];
    const sorts = { e: ["eq", "equal"], d: ["df", "different"], u: ["un", "unknown"], o: ["op", "not explored"] };
    const make = (parent, name, attributes, text) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const key of Object.keys(attributes)) element.setAttribute(key, attributes[key]);
      if (text !== undefined) element.textContent = text;
      parent.append(element);
      return element;
    };
    const ticks = (count) => {
      const steps = Math.min(4, Math.max(1, count - 1));
      return [...new Set([...Array(steps + 1).keys()].map((step) => Math.floor(step * (count - 1) / steps)))];
    };
    const draw = () => {
      const [x, y] = [+across.value, +up.value];
      const plane = planes.find((p) => p.x === Math.min(x, y) && p.y === Math.max(x, y));
      if (!plane) {
        $("drawn").textContent = x === y ? "Choose two inputs." : "This plane was not computed.";
        return;
      }
      const [columns, rows] = [axes[x].values.length, axes[y].values.length];
      const width = axes[plane.x].values.length;
      const at = (column, row) => plane.squares[x === plane.x ? row * width + column : column * width + row];
      svg.replaceChildren();
      const [wide, high] = [left + columns * side + 40, above + rows * side + 40];
      const top = (row) => above + (rows - 1 - row) * side;
      svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
      svg.setAttribute("width", wide);
      svg.setAttribute("height", high);
      const counts = {};
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const sort = at(column, row);
          counts[sort] = (counts[sort] || 0) + 1;
          const [px, py] = [left + column * side, top(row)];
          const box = make(svg, "rect", { class: "part " + sorts[sort][0], x: px, y: py, width: side, height: side });
          make(box, "title", {}, `${axes[x].name} = ${axes[x].values[column]}, ${axes[y].name} = ${axes[y].values[row]}: ${sorts[sort][1]}`);
          if (sort === "d") make(svg, "path", { class: "sign", d: `M${px + 4},${py + side - 4}l${side - 8},-${side - 8}` });
        }
      }
      for (const column of ticks(columns)) make(svg, "text", { x: left + column * side + side / 2, y: above + rows * side + 14, "text-anchor": "middle" }, axes[x].values[column]);
      for (const row of ticks(rows)) make(svg, "text", { x: left - 6, y: top(row) + side - 5, "text-anchor": "end" }, axes[y].values[row]);
      make(svg, "text", { x: left + columns * side / 2, y: above + rows * side + 32, "text-anchor": "middle" }, axes[x].name + " →");
      make(svg, "text", { x: 4, y: 12 }, "↑ " + axes[y].name);
      const said = Object.keys(sorts).filter((sort) => counts[sort]).map((sort) => `${counts[sort]} ${sorts[sort][1]}`);
      $("drawn").textContent = `${columns * rows} inputs: ${said.join(", ")}`;
      svg.setAttribute("aria-label", `Grid of ${$("drawn").textContent}; the table below has the conditions`);
    };
    across.form.addEventListener("input", draw);
    across.form.addEventListener("submit", (event) => event.preventDefault());
    draw();
  }
})();
