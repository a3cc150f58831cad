import Joi from 'joi';
import { isKnownCurrency } from '../../../kernel/money.ts';
import { PAYMENT_STATUSES, type ProviderNotification } from '../provider.ts';

/** A notification as the simulator sends it: amounts in minor units, times in ISO 8601. */
export type SimulatorMessage = {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  /** State of a payment or a refund; absent for a chargeback. */
  readonly status?: string;
  readonly pspRefId?: string | null;
  readonly reason?: string | null;
  readonly paidAt?: string | null;
};

const name = Joi.string().max(128);
const knownCurrency: Joi.CustomValidator<string> = (code, { error }) =>
  isKnownCurrency(code) ? code : error('any.invalid');
const moved = {
  reference: name.required(),
  amount: Joi.number().integer().min(1).required(),
  currency: Joi.string().custom(knownCurrency).required(),
};
const envelope = { id: name.required(), livemode: Joi.boolean().required(), type: name.required() };

const schemas: Readonly<Record<string, Joi.ObjectSchema>> = {
  payment: Joi.object({
    ...envelope,
    ...moved,
    status: Joi.valid(...PAYMENT_STATUSES).required(),
    pspRefId: name.required(),
    reason: name.allow(null),
    paidAt: Joi.string().isoDate().allow(null),
  }),
  refund: Joi.object({
    ...envelope,
    ...moved,
    status: Joi.valid('refunded', 'pending', 'refused', 'failed').required(),
    pspRefId: name.allow(null),
    reason: name.allow(null),
  }),
  chargeback: Joi.object({ ...envelope, ...moved, pspRefId: name.required() }),
};
const other = Joi.object(envelope).unknown();

export const parseMessage = (body: Buffer): ProviderNotification | null => {
  const message = read(body);
  if (!message) return null;
  const { id, livemode, type, reference, amount, currency } = message;
  const about = { id, livemode, reference, amount, currency };
  const pspRefId = message.pspRefId ?? null;
  const reason = message.reason ?? null;
  switch (type) {
    case 'payment': {
      const paidAt = message.paidAt ? new Date(message.paidAt).toISOString() : null;
      const status = message.status as never;
      const state = {
        status,
        pspRefId: pspRefId ?? '',
        failureReason: reason,
        paidAt,
        instructions: null,
        echo: { amount, currency },
      };
      return { ...about, kind: 'payment', state };
    }
    case 'refund':
      return {
        ...about,
        kind: 'refund',
        state: { status: message.status as never, reason, pspRefundRefId: pspRefId },
      };
    case 'chargeback':
      return { ...about, kind: 'chargeback', pspRefId: pspRefId ?? '' };
    default:
      return { id, livemode, kind: 'other', type };
  }
};

const read = (body: Buffer): SimulatorMessage | null => {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : '';
  const schema = Object.hasOwn(schemas, type) ? schemas[type] : other;
  const { error, value: message } = (schema ?? other).validate(value, { convert: false });
  return error ? null : (message as SimulatorMessage);
};
