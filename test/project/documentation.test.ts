import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { environments } from '../../config/environments.ts';
import { CONNECTOR_SETTINGS } from '../../src/modules/providers/connectors.ts';
import { CARD_TABLE } from '../../src/modules/providers/simulator/card-table.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { blocksOf, commentsOf, fragmentFaults, lineOf, proseFaults } from '../support/prose.ts';

/** Holds pages against the program; test/api/guides.test.ts runs their commands. */
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

describe('the table of settings', () => {
  const rows = tableOf('docs/settings.md', '| Variable | Default | Meaning |').map(([names, defaults]) => ({
    names: inCode(names),
    defaults: inCode(defaults),
  }));

  it('has every setting that config.ts reads, and no other', () => {
    const own = [...text('src/main/config.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name);
    const read = [...own, ...CONNECTOR_SETTINGS];
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

describe('commands of the pages', () => {
  const pages = [
    'README.md',
    ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const shellLines = (page: string): readonly string[] =>
    [...text(page).matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
      block.split('\n'),
    );

  it.each(pages)('can be pasted into a shell that takes no comments: %s', (page) => {
    // zsh as it comes reads a comment behind a command as arguments, and one on a line of its own as an unknown command.
    const faults = shellLines(page).filter(
      (line) => /\S\s+# /.test(line) || (/^\s*#/.test(line) && !/^# [\w ,.:/=_-]+$/.test(line)),
    );
    expect(faults).toEqual([]);
  });
});

/** A refund without an API for it is one that fails for this reason. */
const refundIs = (refund: string): readonly string[] =>
  refund === 'unsupported' ? ['failed', 'refund_not_supported'] : [refund];

describe('the table of test cards', () => {
  it('has every card of the simulator, with what becomes of its charge and of its refund', () => {
    const header = '| Number | Charge | `failureReason` | Refund |';
    const rows = tableOf('docs/guide/test-cards.md', header).map(([number, charge, reason, ofRefund]) => [
      inCode(number)[0],
      inCode(charge)[0],
      inCode(reason)[0] ?? null,
      inCode(ofRefund),
    ]);
    const cards = [...CARD_TABLE].map(([number, { status, failureReason, refund, answers }]) => [
      number,
      answers ? status : 'pending',
      failureReason,
      status === 'refused' || status === 'failed' ? [] : refundIs(refund),
    ]);
    expect(rows).toEqual(cards);
  });
});

describe.each([
  ['docs/security.md', 60],
  ['docs/architecture.md', 30],
  ['CONTRIBUTING.md', 15],
])('%s', (page, atLeast) => {
  it('names files that are there', () => {
    const named = inCode(text(page)).filter(
      (code) => /^(src|test|scripts|config|docs)\//.test(code) && !code.includes('<'),
    );
    expect(named.length).toBeGreaterThan(atLeast);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

it('docs/architecture.md names functions that are in the files that it names', () => {
  const named = inCode(text('docs/architecture.md').replaceAll(/\s+/g, ' '));
  const files = named.filter((code) => code.startsWith('src/') && code.endsWith('.ts'));
  const functions = named.filter((code) => /^(tx\.)?[a-z]+[A-Za-z]*$/.test(code) && code !== 'pending');
  const source = files.map((file) => text(file)).join('\n');
  expect(functions.length).toBeGreaterThan(5);
  expect(functions.filter((name) => !new RegExp(`\\b${name.replace('tx.', '')}\\b`).test(source))).toEqual(
    [],
  );
});

describe('the tables of docs/security.md', () => {
  const rowsOf = (header: string) =>
    tableOf('docs/security.md', header).map((row) => row.map((cell) => cell.trim()));

  it('name a suite of test/security for every finding of the penetration test', () => {
    const rows = rowsOf('| Attack | Severity | Answer now | Test |');
    expect(rows.length).toBeGreaterThanOrEqual(13);
    for (const [attack, severity, , tests] of rows) {
      expect([attack, severity]).toEqual([attack, expect.stringMatching(/^(high|medium|low|info)$/)]);
      expect([attack, inCode(tests).filter((test) => /^test\/security\/.+\.test\.ts$/.test(test))]).toEqual([
        attack,
        inCode(tests),
      ]);
      expect([attack, inCode(tests).length > 0]).toEqual([attack, true]);
    }
    const named = rows.flatMap((row) => inCode(row.at(-1)));
    const whole = text('docs/security.md');
    for (const suite of readdirSync('test/security'))
      expect([
        suite,
        named.includes(`test/security/${suite}`) || whole.includes(`test/security/${suite}`),
      ]).toEqual([suite, true]);
  });

  it('name code and test for all that the program meets of PCI DSS 3, 4, 6, 7, 8 and 10', () => {
    const rows = rowsOf('| Requirement | Met by | Where | Test |');
    const numbers = rows.flatMap(([requirement = '']) => requirement.match(/\b\d+\.\d+(\.\d+)?/g) ?? []);
    expect(new Set(numbers.map((number) => number.split('.')[0]))).toEqual(
      new Set(['3', '4', '6', '7', '8', '10']),
    );
    for (const [requirement, by = '', where, test] of rows) {
      expect([requirement, by]).toEqual([requirement, expect.stringMatching(/^(yes|both|you)\b/)]);
      const isOurs = !by.startsWith('you');
      expect([requirement, !isOurs || (inCode(where).length > 0 && inCode(test).length > 0)]).toEqual([
        requirement,
        true,
      ]);
    }
  });

  it('name code and test for every chapter of ASVS', () => {
    const rows = rowsOf('| Chapter | Met | Where | Test | Left to you, or out |');
    expect(rows.map(([chapter = '']) => chapter.split(' ')[0])).toEqual(
      Array.from({ length: 14 }, (_, index) => `V${index + 1}`),
    );
    for (const [chapter, met, where, test] of rows) {
      expect([chapter, met]).toEqual([chapter, expect.stringMatching(/^yes/)]);
      if (chapter?.startsWith('V1 ')) continue;
      expect([chapter, inCode(where).length > 0, inCode(test).length > 0]).toEqual([chapter, true, true]);
    }
  });
});

describe('docs/operations.md', () => {
  // The types of prom-client leave out the names of the labels.
  const metrics = createMetrics().registry.getMetricsAsArray() as unknown as {
    readonly name: string;
    readonly labelNames: readonly string[];
  }[];

  it('describes every metric with its labels', () => {
    const described = tableOf('docs/operations.md', '| Metric | Labels | Meaning |');
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

/** Tracked files that a reader of the repository may follow a reference from. */
const sources = ['src', 'scripts', 'config', 'test', 'docs'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|md|yml|json|toml|py)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...sources].filter((file) =>
  file.endsWith('.md'),
);

/** Headings of a page in the form in which links name them. */
const anchorsOf = (page: string): readonly string[] =>
  [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('references', () => {
  it('name no document that is not in the repository', () => {
    // Comments break lines anywhere, so marks of comments and line ends count as spaces.
    const flat = (file: string): string => text(file).replace(/\n\s*(\*|\/\/)?\s*/g, ' ');
    const elsewhere =
      /\b([Dd]ecisions?|[Ss]pecification|[Dd]esign|[Ii]ssue),? #?\d[\d.]*|\((engines|design)\)/g;
    const found = [...pages, ...sources].flatMap((file) =>
      [...flat(file).matchAll(elsewhere)].map(([citation]) => `${file}: ${citation}`),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it('to a page in docs name a page and a heading that are there', () => {
    const named = sources.flatMap((file) =>
      [...text(file).matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, page = '', anchor]) => ({
        file,
        page,
        anchor,
      })),
    );
    expect(named.length).toBeGreaterThan(20);
    const isThere = ({ page, anchor }: (typeof named)[number]): boolean =>
      existsSync(page) && (anchor === undefined || anchorsOf(page).includes(anchor));
    expect(named.filter((one) => !isThere(one))).toEqual([]);
  });

  it.each(pages)('from %s lead somewhere', (page) => {
    const broken = [...text(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].filter(
      ([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        const isLine = anchor === undefined || /^L\d+$/.test(anchor);
        return !existsSync(target) || !(isLine || anchorsOf(target).includes(anchor));
      },
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});

it.each(pages)('%s has sentences that name their subject', (page) => {
  const faults = blocksOf(text(page)).flatMap(proseFaults);
  expect(faults.map((fault) => `${page}:${lineOf(text(page), fault)}: ${fault}`)).toEqual([]);
});

it.each(pages)('%s has headings that name their subject', (page) => {
  const headings = text(page).match(/^#+ .*$/gm) ?? [];
  const faults = headings.flatMap((heading) => proseFaults(heading.replace(/^#+ /, '')));
  expect(faults.map((fault) => `${page}:${lineOf(text(page), fault)}: ${fault}`)).toEqual([]);
});

const code = sources.filter((file) => /\.(tsx?)$/.test(file) && file !== 'src/client/schema.ts');

it('comments have whole sentences that name their subject', () => {
  const faults = code.flatMap((file) =>
    commentsOf(text(file)).flatMap((comment) =>
      [...proseFaults(comment), ...fragmentFaults(comment)].map(
        (fault) => `${file}:${lineOf(text(file), fault)}: ${fault}`,
      ),
    ),
  );
  expect(faults).toEqual([]);
});

it('names of tests name their subject', () => {
  const titles =
    /\b(?:it|test|describe)(?:\.each[^']*?)?\(\s*(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)"|`([^`]+)`)/g;
  const named = code.flatMap((file) =>
    [...text(file).matchAll(titles)].map(([, ...quotes]) => ({ file, title: quotes.find(Boolean) ?? '' })),
  );
  expect(named.length).toBeGreaterThan(2_000);
  const capital = (title: string): string => title.charAt(0).toUpperCase() + title.slice(1);
  const faults = named.flatMap(({ file, title }) =>
    proseFaults(capital(title)).map((fault) => `${file}:${lineOf(text(file), `"${title}`)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

it('tests over HTTP call the API by one helper, which checks each answer', () => {
  const callers = sources.filter(
    (file) => file.startsWith('test/') && /^import supertest\b.*'supertest'/m.test(text(file)),
  );
  expect(callers).toEqual(['test/support/call.ts']);
});

describe('CHANGELOG.md', () => {
  const versions = [...text('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, version = '']) => version);

  it('begins with the version of the package, or with changes after it', () => {
    const { version } = JSON.parse(text('package.json'));
    expect([version, 'Unreleased']).toContain(versions[0]);
    expect(versions.slice(0, 2)).toContain(version);
  });

  it('has the last release second, with which the upgrade test and make openapi-diff compare', () => {
    const documents = readdirSync('docs/openapi').flatMap((name) => /^(.+)\.json\.gz$/.exec(name)?.[1] ?? []);
    const byNumbers = new Intl.Collator('en', { numeric: true });
    expect(documents.sort(byNumbers.compare).at(-1)).toBe(versions[1]);
    expect(text('test/support/last-release.ts')).toContain(`'v${versions[1]}'`);
  });
});
