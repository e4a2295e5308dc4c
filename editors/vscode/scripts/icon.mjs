// Writes icon.png: a line taken out, a line put in, and the cursor.
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const SIDE = 128;
const shapes = [
    { x: 0, y: 0, w: 128, h: 128, r: 24, color: [30, 41, 59] },
    { x: 24, y: 30, w: 80, h: 12, r: 6, color: [100, 116, 139] },
    { x: 24, y: 52, w: 56, h: 12, r: 6, color: [248, 113, 113] },
    { x: 24, y: 74, w: 64, h: 12, r: 6, color: [74, 222, 128] },
    { x: 94, y: 68, w: 6, h: 24, r: 2, color: [241, 245, 249] },
    { x: 24, y: 96, w: 40, h: 8, r: 4, color: [100, 116, 139] },
];

function covers({ x, y, w, h, r }, px, py) {
    const dx = Math.max(x + r - px, px - (x + w - r), 0);
    const dy = Math.max(y + r - py, py - (y + h - r), 0);
    return px >= x && px < x + w && py >= y && py < y + h && dx * dx + dy * dy <= r * r;
}

function pixel(x, y) {
    const top = shapes.findLast((it) => covers(it, x + 0.5, y + 0.5));
    return top ? [...top.color, 255] : [0, 0, 0, 0];
}

function chunk(type, data) {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
}

const rows = Array.from({ length: SIDE }, (_, y) => [0, ...Array.from({ length: SIDE }, (_, x) => pixel(x, y)).flat()]);
const header = Buffer.alloc(13);
header.writeUInt32BE(SIDE, 0);
header.writeUInt32BE(SIDE, 4);
header.set([8, 6, 0, 0, 0], 8);
writeFileSync(
    new URL("../icon.png", import.meta.url),
    Buffer.concat([
        Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
        chunk("IHDR", header),
        chunk("IDAT", deflateSync(Buffer.from(rows.flat()), { level: 9 })),
        chunk("IEND", Buffer.alloc(0)),
    ]),
);
