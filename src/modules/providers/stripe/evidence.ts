import type { Stripe } from 'stripe';
import type { EvidenceRequest, EvidenceState } from '../provider.ts';
import type { CallStripe } from './stripe-client.ts';

type Field = keyof Stripe.DisputeUpdateParams.Evidence;

/** The field of Stripe's evidence for each kind of document; what has none there is a file without a kind. */
const FIELDS: Readonly<Record<string, Field>> = {
  receipt: 'receipt',
  shipping_documentation: 'shipping_documentation',
  service_documentation: 'service_documentation',
  customer_communication: 'customer_communication',
  customer_signature: 'customer_signature',
  refund_policy: 'refund_policy',
  cancellation_policy: 'cancellation_policy',
  duplicate_charge_documentation: 'duplicate_charge_documentation',
};

const refused = (reason: string): EvidenceState => ({ status: 'refused', reason });

/**
 * Hands evidence to Stripe: uploads each file, then submits all of them with the dispute of the payment. A file that is
 * uploaded again after a lost answer belongs to no dispute and does no harm. `intentId` is null where Stripe knows no
 * such payment.
 */
export const submitEvidence = async (
  call: CallStripe,
  intentId: string | null,
  { reference, files }: EvidenceRequest,
): Promise<EvidenceState> => {
  if (intentId === null) return refused('payment_not_found');
  const listed = await call((stripe) => stripe.disputes.list({ payment_intent: intentId, limit: 100 }));
  if (listed.status !== 'done') throw new Error(`Stripe does not list disputes: ${listed.status}`);
  const disputes = listed.value.data;
  const open = disputes.find(({ status }) => status === 'needs_response');
  if (!open) {
    // An answer that got lost may have been the one to the last call.
    const isSubmitted = disputes.some(({ metadata }) => metadata.portico_dispute === reference);
    return isSubmitted ? { status: 'delivered', reason: null } : refused('dispute_not_open');
  }
  const evidence: Partial<Record<Field, string>> = {};
  for (const { type, fileName, contentType, content } of files) {
    const data = await content();
    const uploaded = await call((stripe) =>
      stripe.files.create({ purpose: 'dispute_evidence', file: { data, name: fileName, type: contentType } }),
    );
    if (uploaded.status === 'refused') return refused(uploaded.code);
    if (uploaded.status !== 'done') throw new Error('Stripe does not decide on a file');
    evidence[FIELDS[type] ?? 'uncategorized_file'] = uploaded.value.id;
  }
  const submitted = await call((stripe) =>
    stripe.disputes.update(open.id, {
      evidence: evidence as Stripe.DisputeUpdateParams.Evidence,
      metadata: { portico_dispute: reference },
      submit: true,
    }),
  );
  if (submitted.status === 'refused') return refused(submitted.code);
  if (submitted.status !== 'done') throw new Error('Stripe does not decide on the evidence');
  return { status: 'delivered', reason: null };
};
