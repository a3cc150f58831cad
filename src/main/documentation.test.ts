import { existsSync, readFileSync } from 'node:fs';
import { environments } from '../../config/environments.ts';
import { createMetrics } from '../platform/metrics.ts';

/** What pages list is held against what there is; the commands that they show are run by test/api/guides.test.ts. */
const text = (file: string): string => readFileSync(file, 'utf8');

/** The rows of the table under this header, as cells. */
const tableOf = (page: string, header: string): string[][] => {
  const [, after = ''] = text(page).split(`${header}\n`);
  const rows = after.split('\n').slice(1);
  return rows
    .slice(
      0,
      rows.findIndex((row) => !row.startsWith('|')),
    )
    .map((row) => row.split('|').slice(1, -1));
};
const inCode = (cell = ''): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code);

describe('the table of settings in the README', () => {
  const rows = tableOf('README.md', '| Variable | Default | Meaning |').map(([names, defaults]) => ({
    names: inCode(names),
    defaults: inCode(defaults),
  }));

  it('has every setting that config.ts reads, and no other', () => {
    const read = [...text('src/main/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    expect(read.length).toBeGreaterThan(30);
    expect(rows.flatMap(({ names }) => names).sort()).toEqual([...new Set(read)].sort());
  });

  it.each(['development', 'production'] as const)('names what holds where none is given, in %s', (name) => {
    for (const [variable, value] of Object.entries(environments[name])) {
      const row = rows.find(({ names }) => names.includes(variable));
      const isFlagOff = variable === 'DEMO_DATA' && value === '0';
      if (!isFlagOff) expect([variable, row?.defaults]).toEqual([variable, expect.arrayContaining([value])]);
    }
  });

  it('names nothing else as a default', () => {
    const known = new Set(Object.values(environments).flatMap((values) => Object.values(values)));
    // These are in config.ts and in scripts/run.ts.
    for (const other of ['development', 'all', 'warn', 'make run']) known.add(other);
    expect(rows.flatMap(({ defaults }) => defaults).filter((value) => !known.has(value))).toEqual([]);
  });
});

describe('docs/security.md', () => {
  it('names files that are there', () => {
    const named = inCode(text('docs/security.md')).filter((code) =>
      /^(src|test|scripts|config)\//.test(code),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  // The types of prom-client leave out the names of the labels.
  const metrics = createMetrics().registry.getMetricsAsArray() as unknown as {
    readonly name: string;
    readonly labelNames: readonly string[];
  }[];

  it('describes every metric with its labels', () => {
    const described = tableOf('docs/operations.md', '| Metric | Labels | What it says |');
    const own = metrics.filter(({ name }) => name.startsWith('portico_'));
    expect(described.map(([name, labels]) => [...inCode(name), inCode(labels)]).sort()).toEqual(
      own.map(({ name, labelNames }) => [name, labelNames]).sort(),
    );
  });

  it('says for every alert what to do, where the alert says that it does', () => {
    const alerts = text('config/prometheus/alerts.yml');
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    const sections = [...text('docs/operations.md').matchAll(/^### (Portico\w+)$/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual([...names].sort());
    expect([...alerts.matchAll(/runbook: (.*)/g)].map(([, place]) => place)).toEqual(
      names.map((name) => `docs/operations.md#${name.toLowerCase()}`),
    );
  });
});

/** Names that a file asks Prometheus for. */
const namesIn = (file: string): readonly string[] => [
  ...new Set(text(file).match(/\b(portico|process|nodejs)_\w+/g) ?? []),
];

it.each(['config/prometheus/alerts.yml', 'config/grafana/portico.json'])(
  '%s asks for metrics that exist',
  async (file) => {
    const known = (await createMetrics().registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    expect(namesIn(file).length).toBeGreaterThan(5);
    expect(namesIn(file).filter((name) => !known.includes(name))).toEqual([]);
  },
);
