import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/durations.ts';
import { txidOf } from '../../../src/modules/providers/pix-api/references.ts';
import type { Delivery } from '../../../src/modules/providers/provider.ts';
import { startMercadoPagoDouble } from '../mercado-pago/mercado-pago-double.ts';
import { startPixInstitution } from '../pix-api/institution.ts';
import { type Decision, dayOf, type Rec } from '../pix-api/recs.ts';
import { startStripeDouble } from '../stripe/stripe-double.ts';
import { type Action, startControls } from './controls.ts';
import { mercadoPagoSettings, pixVariables, stripeSettings } from './settings.ts';

const HOST = '127.0.0.1';
const DEFAULT_PORT = '3000';

/** Starts Portico with live keys that lead to doubles of the providers, and with controls to play payers and banks. */
const run = async (): Promise<void> => {
  /** How far the institution is ahead while a bank acts on a day to come. */
  let ahead = 0;
  const institution = await startPixInstitution(() => new Date(Date.now() + ahead));
  const stripe = await startStripeDouble();
  const mercadoPago = await startMercadoPagoDouble();
  const secret = randomBytes(24).toString('hex');
  const directory = resolve(process.env.DATA_DIR || '.data', 'doubles');
  const { agencia, conta, tipoConta } = institution.account;
  Object.assign(process.env, {
    PIX_API_ACCOUNT: `${agencia}/${conta}/${tipoConta}`,
    LIVE_PROVIDERS: process.env.LIVE_PROVIDERS ?? 'pix=pix-api,credit_card=stripe,voucher=mercado-pago',
    ...pixVariables(institution, { callbackSecret: secret, directory }),
    ...stripeSettings(stripe),
    ...mercadoPagoSettings(mercadoPago),
  });

  const gateway = `http://${HOST}:${process.env.PORT || DEFAULT_PORT}/v1/providers`;
  const send = async (
    url: string,
    { headers, body }: Pick<Delivery, 'headers' | 'body'>,
  ): Promise<number> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
      body: body.toString('utf8'),
    });
    return answer.status;
  };
  const callBack = (resource: 'pix' | 'rec' | 'cobr', body: Buffer): Promise<number> =>
    send(`${gateway}/pix-api/notifications/${secret}/${resource}`, { headers: {}, body });
  const tellOfPix = (endToEndId: string): Promise<number> =>
    callBack('pix', institution.callbackAbout(endToEndId));
  const tellOfMandate = (idRec: string): Promise<number> =>
    callBack('rec', institution.callbackAboutRecs(idRec));
  const tellOfCard = (type: string, object: object): Promise<number> =>
    send(`${gateway}/stripe/notifications`, stripe.eventAbout(type, object));
  const tellOfMercadoPago = (type: string, id: string | number): Promise<number> =>
    send(`${gateway}/mercado-pago/notifications`, mercadoPago.notification(type, id));
  const paidPixOf = (chargeId: string): string => {
    const [pix] = institution.cobs.get(txidOf(chargeId))?.pix ?? [];
    if (!pix) throw new Error(`nobody has paid ${chargeId}`);
    return pix.endToEndId;
  };

  const pay = async (id: string): Promise<number> => {
    const txid = txidOf(id);
    const answer = await tellOfPix(institution.pay(txid));
    // A payer may have approved a mandate with the payment.
    for (const { idRec, body } of institution.recs.values())
      if (body.ativacao?.dadosJornada?.txid === txid) await tellOfMandate(idRec);
    return answer;
  };
  /** The latest mandate of a contract, as which it is shown to the payer. */
  const mandateOf = (contract: string): Rec | undefined =>
    [...institution.recs.values()].findLast(({ body }) => body.vinculo.contrato === contract);
  const decide =
    (decision: Decision): Action =>
    (contract) => {
      const mandate = mandateOf(contract);
      if (!mandate) throw new Error(`there is no mandate of the contract ${contract}`);
      institution.decide(mandate.idRec, decision);
      return tellOfMandate(mandate.idRec);
    };
  /** Plays the bank of the payer at noon of the day on which the charge of a cycle, or its retry, is to be paid. */
  const settle =
    (pays: boolean): Action =>
    (id) => {
      const txid = txidOf(id);
      const attempt = institution.cobrs.get(txid)?.tentativas.at(-1);
      if (!attempt) throw new Error(`the institution has no planned charge ${id}`);
      ahead = dayOf(attempt.dataLiquidacao) * DAY_MS + 15 * HOUR_MS - Date.now();
      try {
        institution.settle(txid, pays);
      } finally {
        ahead = 0;
      }
      return callBack('cobr', institution.callbackAboutCobrs(txid));
    };

  const actions: Readonly<Record<string, Action>> = {
    'pay-pix': pay,
    'approve-mandate': decide('approve'),
    'reject-mandate': decide('reject'),
    'cancel-mandate': decide('cancel'),
    'pay-cycle': settle(true),
    'leave-cycle-unpaid': settle(false),
    'pay-pix-late': (id) => tellOfPix(institution.pay(txidOf(id), { force: true })),
    'take-pix-back': (id) => {
      const endToEndId = paidPixOf(id);
      institution.takeBack(endToEndId);
      return tellOfPix(endToEndId);
    },
    'prove-holder': (id) => {
      stripe.authenticate(id);
      return tellOfCard('payment_intent.succeeded', stripe.intentOf(id));
    },
    'fail-to-prove': (id) => {
      stripe.authenticate(id, false);
      return tellOfCard('payment_intent.payment_failed', stripe.intentOf(id));
    },
    dispute: (id) => tellOfCard('charge.dispute.created', stripe.dispute(id)),
    'pay-at-mercado-pago': (id) => tellOfMercadoPago('payment', mercadoPago.pay(id).id),
    'charge-back-at-mercado-pago': (id) => tellOfMercadoPago('chargebacks', mercadoPago.chargeBack(id).id),
    'warn-of-fraud': (id) => tellOfCard('radar.early_fraud_warning.created', stripe.warn(id)),
  };
  const booksOf = (id: string): object => {
    const mandate = mandateOf(id);
    if (mandate) return mandate;
    const cobr = institution.cobrs.get(txidOf(id));
    if (cobr) return cobr;
    const cob = institution.cobs.get(txidOf(id));
    if (cob) return { ...cob.body, ...cob, body: undefined };
    const atMercadoPago = mercadoPago.bookOf(id);
    if (atMercadoPago) return atMercadoPago;
    const intent = stripe.intentOf(id);
    const ofIntent = <T extends { readonly payment_intent: string | { readonly id: string } }>(
      all: ReadonlyMap<string, T>,
    ): readonly T[] =>
      [...all.values()].filter(
        ({ payment_intent: of }) => (typeof of === 'string' ? of : of.id) === intent.id,
      );
    return { intent, refunds: ofIntent(stripe.refunds), disputes: ofIntent(stripe.disputes) };
  };
  const url = await startControls(HOST, actions, booksOf);
  process.stdout.write(
    `Live keys lead to doubles of a Pix institution, Stripe and Mercado Pago: docs/guide/providers.md.\n` +
      `Play payers and banks with: curl -X POST ${url}/{charge}/{${Object.keys(actions).join('|')}}\n` +
      `See what a provider has of a charge with: curl ${url}/{charge}. A mandate is named by its contract.\n`,
  );
  await import('../../../scripts/run.ts');
};

await run();
