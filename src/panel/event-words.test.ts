import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_WORDS, eventOptions, tEvent } from './event-words.ts';
import { PERMISSION_WORDS, permissionsInWords } from './permission-words.ts';
import { GROUP_PERMISSIONS, MERCHANT_PERMISSIONS, PROPOSAL_KINDS, WEBHOOK_EVENTS } from './values.ts';

/** Events of every record: the members of the types that stores name them by. */
const recorded = readdirSync('src/modules', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join('src/modules', name), 'utf8'))
  .flatMap((source) => [...source.matchAll(/type \w*Event\w* =([^;]+);/g)])
  .flatMap(([, union = '']) => [...union.matchAll(/'([a-z_]+\.[a-z_]+)'/g)])
  .map(([, type = '']) => type);

describe('words for events and permissions', () => {
  it('exist for every event that an endpoint gets, a proposal has or a record notes', () => {
    expect(recorded.length).toBeGreaterThan(100);
    const all = [...WEBHOOK_EVENTS, ...PROPOSAL_KINDS, ...recorded];
    expect([...new Set(all)].filter((type) => EVENT_WORDS[type] === undefined)).toEqual([]);
  });

  it('exist for every permission', () => {
    const all = [...MERCHANT_PERMISSIONS, ...GROUP_PERMISSIONS];
    expect(all.filter((permission) => PERMISSION_WORDS[permission] === undefined)).toEqual([]);
  });

  it('have no spelling of the API in them', () => {
    const words = [...Object.values(EVENT_WORDS), ...Object.values(PERMISSION_WORDS)].flat();
    expect(words.filter((text) => /[a-z][._][a-z]/.test(text))).toEqual([]);
  });

  it('stand beside the name where somebody chooses what an endpoint gets', () => {
    expect(eventOptions(['charge.paid'])).toEqual([{ value: 'charge.paid', label: 'Paid (charge.paid)' }]);
    expect(tEvent('something.quite_new')).toBe('something quite new');
    expect(permissionsInWords(['refunds.create', 'charges.read'])).toBe('Refund charges, See charges');
  });
});
