import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { DomainEvent } from '../../src/kernel/event.ts';
import type { Charge } from '../../src/modules/charges/write/charge.ts';
import { aPaidCharge } from '../builders.ts';
import { buildProgram } from '../support/program.ts';
import { volume } from '../support/volume.ts';
import { findMisbehaviour } from './behaviours.ts';

jest.setTimeout(volume({ usual: 600_000, proof: 7_200_000 }));

beforeAll(buildProgram, 600_000);

describe('the model of the gateway', () => {
  it('keeps its promises, and the program does what it does', async () => {
    const variables = {
      TRACES: volume({ usual: '50', proof: '10000' }),
      PLAYED: volume({ usual: '20', proof: '1000' }),
    };
    const { stdout } = await promisify(execFile)('make', ['--silent', 'model'], {
      env: { ...process.env, ...variables },
    });
    expect(stdout).toMatch(
      new RegExp(
        `^${variables.TRACES} traces .* keep every promise.*\\n${variables.PLAYED} of them were played`,
      ),
    );
  });
});

describe('recorded events', () => {
  const recorded = (type: string, version: number, data: Partial<Charge>): DomainEvent => ({
    id: `evt_${version}`,
    type,
    resource: 'charge',
    resourceId: 'chg_1',
    version,
    at: `2026-01-0${version}T12:00:00.000Z`,
    actor: { kind: 'system', id: 'test' },
    requestId: `req_${version}`,
    data: Object.assign(aPaidCharge(data), { version, updatedAt: `2026-01-0${version}T12:00:00.000Z` }),
  });
  const opened = recorded('charge.created', 1, { status: 'pending' });

  it('of a charge that is paid are what the model does', () => {
    expect(findMisbehaviour([recorded('charge.paid', 2, {}), opened])).toEqual([]);
  });

  it.each([
    [
      'by which a charge is refunded without a refund',
      recorded('charge.refunded', 2, { status: 'refunded' }),
    ],
    ['that name a charge paid which is not', recorded('charge.paid', 2, { status: 'pending' })],
  ])('%s are not', (_, second) => {
    expect(findMisbehaviour([opened, second])).toEqual([
      expect.stringMatching(/^chg_1: the model does not know pending/),
    ]);
  });

  it('of a cycle that is charged again while it is paid are not', () => {
    const cycle = { subscriptionId: 'sub_1', number: 1 } as const;
    const ofCycle = (id: string, version: number, type: string, data: Partial<Charge>): DomainEvent => ({
      ...recorded(type, version, { cycle, ...data }),
      resourceId: id,
    });
    const unpaid = { status: 'pending', paidAt: null } as const;
    const first = [ofCycle('chg_1', 1, 'charge.created', unpaid), ofCycle('chg_1', 2, 'charge.paid', {})];
    const second = { ...ofCycle('chg_2', 1, 'charge.created', unpaid), at: '2026-01-03T12:00:00.000Z' };
    expect(findMisbehaviour(first)).toEqual([]);
    expect(findMisbehaviour([...first, second])).toEqual([
      'cycle 1 of sub_1: chg_2 began although chg_1 is open or paid',
    ]);
  });

  it('of which one is missing are not, either', () => {
    expect(findMisbehaviour([recorded('charge.paid', 2, {})])).toEqual(['chg_1: an event is missing']);
  });
});
