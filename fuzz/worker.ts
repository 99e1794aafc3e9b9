/** Fuzzes one target in this process, started by main.ts. `--broken` is the name of a sabotage in sabotage.ts. */
import { register } from 'node:module';
import { parseArgs } from 'node:util';
import { keepFinding, loadTarget, readCorpus, replaceCorpus } from './corpus.ts';
import { fuzz, minimised } from './fuzz.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: 'string', default: '0' },
    seconds: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
    broken: { type: 'string' },
  },
});
const [name = ''] = positionals;
register('./instrument.ts', import.meta.url, { data: { sabotage: values.broken ?? null } });
const target = await loadTarget(name);
const isBroken = values.broken !== undefined;
const corpus = [...readCorpus(name).values()];
const { cases, seconds, reached, kept, findings } = await fuzz(target, {
  cases: Number(values.cases),
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  corpus: isBroken ? [] : corpus,
  mostFindings: isBroken ? 1 : 5,
});

if (isBroken) {
  const [first] = findings;
  console.log(`${values.broken}: ${first ? `case ${first.found}, ${first.message}` : `not in ${cases} cases`}`);
  process.exit(first ? 0 : 1);
}
for (const { input, message } of findings) console.log(`${name}: ${message}\n  ${keepFinding(name, input)}`);
if (values.keep) replaceCorpus(name, await minimised(target, [...corpus, ...kept]));
console.log(
  `${name.padEnd(16)} ${String(cases).padStart(8)} cases ${seconds.toFixed().padStart(5)} s ` +
    `${String(reached).padStart(5)} branches ${String(findings.length).padStart(3)} findings`,
);
process.exit(findings.length === 0 ? 0 : 1);
