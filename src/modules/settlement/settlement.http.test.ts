import { aMerchantPrincipal, NOW } from '../../../test/builders.ts';
import { systemContext } from '../../kernel/event.ts';
import type { RouteRequest } from '../../platform/http/route.ts';
import { settlementTestHelperRoutes } from './settlement.http.ts';
import type { SettleDue } from './write/settle-due.ts';

const run = async (settleDue: SettleDue) => {
  const [route] = settlementTestHelperRoutes({ settleDue, clock: () => NOW });
  const principal = aMerchantPrincipal({ livemode: false });
  const request: Partial<RouteRequest> = { principal, body: undefined, context: systemContext('test') };
  return (await route?.handle(request as RouteRequest))?.body;
};

describe('a run of settlements', () => {
  it('ends after two seconds however much is due, and says that more is left', async () => {
    const endless: SettleDue = async ({ stopping }) => {
      let charges = 0;
      for (; !stopping?.aborted; charges += 1) await new Promise((resolve) => setTimeout(resolve, 100));
      return { charges, parts: charges };
    };
    expect(await run(endless)).toMatchObject({ complete: false });
  });

  it('is complete where all that is due is settled', async () => {
    expect(await run(async () => ({ charges: 1, parts: 2 }))).toMatchObject({
      charges: 1,
      parts: 2,
      complete: true,
    });
  });
});
