#!/usr/bin/env node
// Two-sided geometric noise on a number, in steps of 1/1024, for plaudit: JSON lines with Node.js.
// Spec: laplace.toml in this folder. Protocol: docs/external.md.
const { createInterface } = require("node:readline");

const STEP = 1 / 1024;

// A generator that can be seeded (Math.random cannot): SplitMix64, 53 random bits in [0, 1).
function generator(seed) {
  let state = BigInt.asUintN(64, seed);
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) >> 11n) / 2 ** 53;
  };
}

// How many steps until the first success, when each fails with probability exp(-STEP).
const geometric = (random) => Math.floor(-Math.log(1 - random()) / STEP);

// JSON.stringify writes 1 for 1.0, 0 for -0.0 and null for NaN: to plaudit an integer, an integer,
// and nothing. This writes a number as the number that it is.
function spell(x) {
  if (Number.isNaN(x)) return '{"$number": "nan"}';
  if (!Number.isFinite(x)) return `{"$number": "${x > 0 ? "inf" : "-inf"}"}`;
  if (Object.is(x, -0)) return "-0.0";
  const text = String(x);
  return /[.e]/.test(text) ? text : text + ".0";
}

// A seed has up to 63 bits and a JavaScript number 53: read it from the text, as a BigInt.
const seedOf = (line) => BigInt(/"seed":\s*(\d+)/.exec(line)[1]);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { dataset, runs } = JSON.parse(line);
  const random = generator(seedOf(line));
  const outcomes = [];
  for (let i = 0; i < runs; i++) {
    outcomes.push(spell(dataset[0] + (geometric(random) - geometric(random)) * STEP));
  }
  process.stdout.write(outcomes.join("\n") + "\n");
});
