import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules } from '../../src/main/modules.ts';
import { aPixRequest, aSpreadFee } from '../builders.ts';
import { type Client, withKey } from '../support/client.ts';
import { pixVariables } from '../support/doubles/settings.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { type PixInstitution, startPixInstitution } from '../support/pix-api/institution.ts';

const SECRET = 'Zk3qT9wLr5vXn2bYc7mHd4sJf8gPa1eU';
const MINUTE = 60_000;
const directory = mkdtempSync(join(tmpdir(), 'portico-budget-'));

let institution: PixInstitution;
/** Two processes of one installation, which neither have workers nor a Redis. */
const processes: TestGateway[] = [];
let clients: readonly Client[];

jest.setTimeout(180_000);
beforeAll(async () => {
  institution = await startPixInstitution();
  const settings = {
    ROLE: 'api',
    LIVE_PROVIDERS: 'pix=pix-api',
    // Nobody listens there.
    REDIS_URL: 'redis://127.0.0.1:1',
    ...pixVariables(institution, { callbackSecret: SECRET, directory }),
  };
  const first = await startTestGateway(settings);
  processes.push(first, await startTestGateway(first.variables));
  const { id, liveKey } = await first.createMerchant();
  const definition = { fixed: 1, percentages: [2] };
  await first.setFees(id, [aSpreadFee({ payment_method: 'pix', definition })]);
  clients = processes.map((one) => withKey(() => one, liveKey));
}, 180_000);
afterAll(async () => {
  const [first, second] = processes;
  await second?.stop({ keepData: true });
  await first?.stop();
  await institution?.stop();
  rmSync(directory, { recursive: true });
}, 120_000);

/** Whether the charge has its code, and so has reached the institution. */
const charge = async (by: number): Promise<boolean> => {
  const { body } = (await clients[by]?.post('/v1/charges', aPixRequest()).expect(201)) ?? {};
  return body.paymentDetails !== null;
};

describe('two processes with one account', () => {
  it('both leave the institution alone where it has told one of them so', async () => {
    expect([await charge(0), await charge(1)]).toEqual([true, true]);
    institution.troubleWith(() => ({ status: 429, retryAfter: 60 }));
    expect(await charge(0)).toBe(false);
    institution.troubleWith(() => null);
    const asked = institution.callsMade.length;
    expect([await charge(1), await charge(0)]).toEqual([false, false]);
    expect(institution.callsMade).toHaveLength(asked);
  });

  it('ask for the news of a minute once, and for those of the next one again', async () => {
    const claims = processes.map(({ container }) => container.get(modules).providers.claimNews);
    const claimedAt = async (at: number): Promise<number> => {
      const each = Array.from({ length: 10 }, () =>
        claims.map((claim) => claim('pix-api', new Date(at), MINUTE)),
      );
      return (await Promise.all(each.flat())).filter(Boolean).length;
    };
    const now = Date.now();
    expect(await claimedAt(now)).toBe(1);
    expect(await claimedAt(now + MINUTE - 1)).toBe(0);
    expect(await claimedAt(now + MINUTE)).toBe(1);
    // As after a clock that was an hour ahead.
    expect(await claimedAt(now + MINUTE + 3_600_000)).toBe(1);
    expect(await claimedAt(now + 2 * MINUTE)).toBe(1);
  });
});
