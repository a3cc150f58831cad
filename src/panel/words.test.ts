import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PORTUGUESE, PORTUGUESE_MEMBERS, PORTUGUESE_STATUSES } from './words.pt.ts';

const FOLDER = 'src/panel';

/** Texts that screens and components show: the first argument of `t`, and titles of the navigation. */
const textsIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\bt\(\s*|title: )(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );

const sourceFiles = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('words'))
  .map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')] as const);
const texts = new Set(sourceFiles.flatMap(([, source]) => textsIn(source)));

/** Names and units, which are the same in every language. */
const SAME = new Set(['API', 'Portico', 'ms', 'HTTP', 'Pix Automático ·', 'mer_…', '%', 'chg_…']);
const SAID = new Set([
  'label',
  'title',
  'caption',
  'empty',
  'placeholder',
  'alt',
  'aria-label',
  'hint',
  'action',
]);

/** Texts that stand in the markup of a source as they are: between tags, and in attributes that people see or hear. */
const writtenIn = (source: string): readonly string[] =>
  [
    ...[...source.matchAll(/(?<![=-])>([^<>{}()=;|]*)(?=<\/|<\w|\{)/g)].map(([, text = '']) => text),
    ...[...source.matchAll(/(?<=[^\w.])([\w-]+)="([^"]*)"/g)].flatMap(([, name = '', text = '']) =>
      SAID.has(name) ? [text] : [],
    ),
  ]
    .map((text) => text.replaceAll('&nbsp;', '').trim())
    .filter((text) => /\p{L}/u.test(text) && !SAME.has(text) && !/^,|\?$/.test(text));

describe('the panel in Portuguese', () => {
  it('has a translation of every text', () => {
    expect(texts.size).toBeGreaterThan(150);
    expect([...texts].filter((text) => PORTUGUESE[text] === undefined)).toEqual([]);
  });

  it('has no translation that nothing needs', () => {
    expect(Object.keys(PORTUGUESE).filter((text) => !texts.has(text))).toEqual([]);
  });

  it('has a word for every kind of record that the audit log names', () => {
    const kinds = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => readFileSync(join('src/modules', name), 'utf8'))
      .flatMap((source) => [...source.matchAll(/\b(?:s|secretS)tore\(\s*'\w+',\s*'(\w+)'/g)])
      .map(([, kind = '']) => kind);
    expect(kinds.length).toBeGreaterThan(15);
    const inNoLog = [
      'statement_line',
      'audit_entry',
      'webhook_event',
      'charge_reference',
      'card_token',
      'subscription_portal',
      'payment_link_places',
    ];
    const unknown = kinds.filter((kind) => PORTUGUESE_STATUSES[kind] === undefined);
    expect(unknown.filter((kind) => !inNoLog.includes(kind))).toEqual([]);
  });

  it('has a word for every member of the records that people change', () => {
    const schemas = readFileSync('src/client/schema.ts', 'utf8');
    const membersOf = (name: string): readonly string[] => {
      const [, body = ''] = new RegExp(`^ {8}${name}: {$([^]*?)^ {8}}`, 'm').exec(schemas) ?? [];
      return [...body.matchAll(/^ +(\w+)\??: /gm)].map(([, member = '']) => member);
    };
    const records = [
      ...['Adjustment', 'ApiKey', 'ChargebackAlert', 'Dispute', 'Group'],
      ...['ManualRefundRequest', 'Merchant', 'PaymentLink', 'PayoutRequest', 'Plan'],
      ...[
        'ProviderAccount',
        'Setting',
        'Submerchant',
        'Subscription',
        'SuspenseClearing',
        'User',
        'WebhookEndpoint',
      ],
    ];
    const known = (member: string): boolean =>
      PORTUGUESE_MEMBERS[member] !== undefined || PORTUGUESE_STATUSES[member] !== undefined;
    for (const record of records) {
      const members = membersOf(record);
      expect([record, members.length > 1]).toEqual([record, true]);
      expect([record, members.filter((member) => !known(member))]).toEqual([record, []]);
    }
  });

  it('has a word for every status, kind and reason that a record can have', () => {
    const schemas = readFileSync('src/client/schema.ts', 'utf8');
    const shown = [
      ...[
        'status',
        'state',
        'kind',
        'type',
        'mode',
        'reason',
        'outcome',
        'channel',
        'bucket',
        'movement_type',
      ],
      ...['referenceType', 'role', 'fee_type', 'scanStatus', 'transferStatus', 'interval', 'paymentMethod'],
    ];
    const valuesOf = (member: string): readonly string[] =>
      [...schemas.matchAll(new RegExp(`^ +${member}\\??: ((?:"[^"]+"(?: \\| )?)+)`, 'gm'))].flatMap(
        ([, union = '']) => [...union.matchAll(/"([^"]+)"/g)].map(([, value = '']) => value),
      );
    const values = new Set(shown.flatMap(valuesOf));
    expect(values.size).toBeGreaterThan(100);
    // Settings of requests and parts of answers for which no screen has a word of its own.
    const notShown = new Set([
      ...['about:blank', 'devicepay', 'debit', 'credit', 'prepaid', 'store', 'registered', 'setup'],
      ...[
        'originator',
        'participant',
        'permission_missing',
        'unavailable',
        'event',
        'provider_call',
        'delivery',
      ],
      ...['percentage'],
    ]);
    const isName = (value: string): boolean => value.includes('.');
    const unknown = [...values].filter((value) => PORTUGUESE_STATUSES[value] === undefined && !isName(value));
    expect(unknown.filter((value) => !notShown.has(value))).toEqual([]);
  });

  it('has a word for every call of a provider, and for how it ended', () => {
    const source = readFileSync('src/modules/providers/with-timeout.ts', 'utf8');
    const union = /type ProviderOperation =([^;]+);/.exec(source)?.[1] ?? '';
    const operations = [...union.matchAll(/'(\w+)'/g)].map(([, name]) => `provider_${name}`);
    expect(operations.length).toBeGreaterThan(10);
    const ends = ['not_found', 'timeout', 'unknown_status', 'error'];
    expect([...operations, ...ends].filter((name) => PORTUGUESE_STATUSES[name] === undefined)).toEqual([]);
  });

  it('has a word for everything that the search finds records by', () => {
    const schemas = readFileSync('src/client/schema.ts', 'utf8');
    const [, union = ''] = /^ +matched: ([^;]+);/m.exec(schemas) ?? [];
    const found = [...union.matchAll(/"(\w+)"/g)].map(([, name]) => `matched_${name}`);
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((name) => PORTUGUESE_STATUSES[name] === undefined)).toEqual([]);
  });

  it('has a word for everything that the test clock tells of', () => {
    const source = readFileSync('src/modules/test-clock/test-clock.http.ts', 'utf8');
    const told = /Kind of record: ([^']+)'/.exec(source)?.[1] ?? '';
    const kinds = [...told.matchAll(/`(\w+)`/g)].map(([, kind = '']) => kind);
    expect(kinds.length).toBeGreaterThan(10);
    expect(kinds.filter((kind) => PORTUGUESE_STATUSES[kind] === undefined)).toEqual([]);
  });

  it('is all of what stands on a screen: no text is written beside the words', () => {
    const marked = sourceFiles.filter(([name]) => name.endsWith('.tsx'));
    const found = marked.flatMap(([name, source]) => writtenIn(source).map((text) => `${name}: ${text}`));
    expect(found).toEqual([]);
  });

  it('has a word for every reason that a delivery had no answer', () => {
    const source = readFileSync('src/platform/outbound/guarded-post.ts', 'utf8');
    const union = /type PostError =([^;]+);/.exec(source)?.[1] ?? '';
    const errors = [...union.matchAll(/'(\w+)'/g)].map(([, error = '']) => error);
    expect(errors.length).toBeGreaterThan(10);
    expect(errors.filter((error) => PORTUGUESE_STATUSES[error] === undefined)).toEqual([]);
  });

  it('keeps the values of each text', () => {
    const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([value]) => value).toSorted();
    const wrong = Object.entries(PORTUGUESE).filter(
      ([text, said]) => JSON.stringify(valuesOf(text)) !== JSON.stringify(valuesOf(said)),
    );
    expect(wrong).toEqual([]);
  });
});
