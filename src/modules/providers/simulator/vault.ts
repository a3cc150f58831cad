import { type Clock, timestamp } from '../../../kernel/clock.ts';
import type { CardVault, Instrument, Tokenized, TokenizeRequest } from '../provider.ts';
import {
  cardBehaviour,
  codeBehaviour,
  type PaymentBehaviour,
  UNKNOWN_CARD,
  unattended,
} from './card-table.ts';
import {
  behaviourOf,
  neverStored,
  type SimulatedCard,
  simulatorMethodOf,
  simulatorTokenOf,
  storedState,
} from './payment.ts';
import type { SimulatorStore } from './simulator.store.ts';

/** How an instrument behaves; a card that is stored, revoked or unattended as its number and its code say. */
export const behaviourFor = async (
  store: SimulatorStore,
  instrument: Instrument,
): Promise<PaymentBehaviour> => {
  if (instrument.type !== 'credit_card' || 'number' in instrument.card) return behaviourOf(instrument);
  const { card } = instrument;
  if ('providerToken' in card) return (await store.findCard(card.providerToken))?.behaviour ?? UNKNOWN_CARD;
  const stored = await store.findCard(card.providerMethod);
  if (!stored || stored.isRevoked) return UNKNOWN_CARD;
  if (card.codeToken !== undefined) {
    const byCode = (await store.findCard(card.codeToken))?.behaviour ?? UNKNOWN_CARD;
    if (byCode.status === 'refused') return byCode;
  }
  return card.initiator === 'merchant' ? unattended(stored.behaviour) : stored.behaviour;
};

/** Keeps a card under this name, unless one is kept there already. */
export const keepCard = async (
  { store, clock }: { readonly store: SimulatorStore; readonly clock: Clock },
  id: string,
  behaviour: PaymentBehaviour,
): Promise<SimulatedCard> => {
  const card = { _id: id, behaviour, isRevoked: false, createdAt: timestamp(clock()) };
  return (await store.insertCard(card)).stored;
};

type VaultDeps = {
  readonly store: SimulatorStore;
  readonly clock: Clock;
  /** Answers after the simulated time. */
  readonly answer: <T>(result: T) => Promise<T>;
};

/** Keeps a card for one payment. */
export const keepForPayment = async (
  deps: VaultDeps,
  { reference, card }: TokenizeRequest,
): Promise<Tokenized> => {
  const { _id } = await keepCard(deps, simulatorTokenOf(reference), cardBehaviour(card.number));
  return deps.answer({ status: 'tokenized', providerToken: _id });
};

/** Cards that the simulator keeps for later payments. */
export const createSimulatorVault = (deps: VaultDeps): CardVault => {
  return {
    async tokenizeCode({ reference, code }) {
      const { _id } = await keepCard(deps, simulatorTokenOf(reference), codeBehaviour(code));
      return deps.answer({ status: 'tokenized', providerToken: _id });
    },

    async store({ reference, card }) {
      const token = await deps.store.findCard(card.providerToken);
      if (!token) return deps.answer(neverStored('card_unknown'));
      return deps.answer(storedState(await keepCard(deps, simulatorMethodOf(reference), token.behaviour)));
    },

    async describeStored({ reference }) {
      const card = await deps.store.findCard(simulatorMethodOf(reference));
      return deps.answer(card && storedState(card));
    },

    async revoke({ reference }) {
      // A card that is stored later has the same name, and is revoked already.
      await keepCard(deps, simulatorMethodOf(reference), UNKNOWN_CARD);
      const card = await deps.store.revokeCard(simulatorMethodOf(reference));
      return deps.answer(card ? storedState(card) : neverStored('card_unknown'));
    },
  };
};
