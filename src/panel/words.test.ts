import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PORTUGUESE, PORTUGUESE_MEMBERS, PORTUGUESE_STATUSES } from './words.pt.ts';

const FOLDER = 'src/panel';

/** Texts that screens and components show: the first argument of `t`, and titles of the navigation. */
const textsIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\bt\(\s*|title: )(?:'((?:[^'\\]|\\.)*)'|"([^"]*)")/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );

const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('words'))
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const texts = new Set(sources.flatMap(textsIn));

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
