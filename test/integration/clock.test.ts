import { timeOfId } from '../../src/kernel/ids.ts';
import { callsOf } from '../support/calls.ts';
import { useGateway } from '../support/gateway.ts';
import { whileClockIsOff } from '../support/machine-clock.ts';
import { eventually } from '../support/program.ts';

const gateway = useGateway();
const AHEAD_MS = 2 * 3_600_000;

/** From the metrics, as a monitoring system reads them. */
const jumpsOfMachine = async (): Promise<number> => {
  const { text } = await gateway().call('get', '/metrics').expect(200);
  return Number(/portico_clock_jumps_total\{of="machine"\} (\d+)/.exec(text)?.[1] ?? 0);
};

it('a clock that is two hours ahead for a while ends no charge, dates nothing ahead, and is reported', async () => {
  const calls = callsOf(gateway(), await gateway().createMerchant());
  const { body: waiting } = await calls.createPix('waits').expect(201);
  const jumps = await jumpsOfMachine();
  await whileClockIsOff(AHEAD_MS, async () => {
    await eventually('the jump is reported', async () => (await jumpsOfMachine()) > jumps);
    const { body: during } = await calls.createPix('during').expect(201);
    expect(Date.parse(during.createdAt)).toBeLessThan(Date.now() - AHEAD_MS + 60_000);
  });
  const { body: after } = await calls.create('after').expect(201);
  expect(timeOfId(after.id).getTime()).toBeLessThan(Date.now() + 60_000);
  expect((await calls.read(waiting.id).expect(200)).body).toMatchObject({
    status: 'pending',
    failureReason: null,
  });
});
