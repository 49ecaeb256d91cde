// A chart of horizontal bars, as SVG.

const COLOURS = { "jlanes": "#1a6fb0", "hash-wasm": "#8a8f98", "crypto.subtle": "#d08a2e" };
const WIDTH = 860;
const LEFT = 210;
const BAR = 18;
const GAP = 14;
/** Room for the figure behind the longest bar. */
const RIGHT = 110;

/** Draws `rows` into `element`, and replaces what it has. */
export function drawChart(element, rows) {
    const most = Math.max(...rows.flatMap((row) => row.bars.map((bar) => bar.speed)));
    const bars = rows.reduce((sum, row) => sum + row.bars.length, 0);
    const height = 30 + bars * BAR + rows.length * GAP;
    const svg = create("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img" });
    let x = LEFT;
    for (const [name, fill] of Object.entries(COLOURS)) {
        svg.append(create("rect", { x, y: 4, width: 12, height: 12, fill }));
        svg.append(create("text", { x: x + 18, y: 15 }, name));
        x += 140;
    }
    let y = 30;
    for (const { title, bars } of rows) {
        const middle = y + (bars.length * BAR) / 2 + 4;
        svg.append(create("text", { x: LEFT - 12, y: middle, "text-anchor": "end" }, title));
        for (const { name, speed } of bars) {
            const width = (speed / most) * (WIDTH - LEFT - RIGHT);
            const fill = COLOURS[name];
            svg.append(create("rect", { x: LEFT, y, width, height: BAR - 3, fill, class: "bar" }));
            svg.append(create("text", { x: LEFT + width + 6, y: y + 12 }, `${speed.toFixed(0)} MB/s`));
            y += BAR;
        }
        y += GAP;
    }
    element.replaceChildren(svg);
}

function create(name, attributes, text) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, value);
    }
    if (text !== undefined) {
        element.textContent = text;
    }
    return element;
}
