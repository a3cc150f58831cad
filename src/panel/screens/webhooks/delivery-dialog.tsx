import { useState } from 'react';
import type { Schemas } from '../../../client/client.ts';
import { call } from '../../api.ts';
import { ApiMenuOf } from '../../components/api-menu.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Facts } from '../../components/facts.tsx';
import { Select } from '../../components/field.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Status } from '../../components/status.tsx';
import { When } from '../../components/values.tsx';
import { tEvent } from '../../event-words.ts';
import { formatMoment, formatNumber } from '../../format.ts';
import { type DiffLine, diffLines, pretty } from '../../line-diff.ts';
import { useMe } from '../../session.tsx';
import { useRead } from '../../use-read.ts';
import { t, tStatus } from '../../words.ts';

type Delivery = Schemas['WebhookDelivery'];
type Attempt = Delivery['attempts'][number];

/** The status of an answer, or why there was none. */
export const answerOf = ({ statusCode, error }: Attempt): string =>
  statusCode === null ? tStatus(error ?? '–') : `HTTP ${statusCode}`;

/** The log keeps the last attempts only, so that the first ones of many have no number. */
const MOST_KEPT = 50;

/** Headers by which the receiver tells deliveries apart; the number of the attempt is the only one that changes. */
const headersOf = ({ eventId, sequence, attempts }: Delivery): readonly string[] => [
  'Content-Type: application/json',
  `X-Event-Id: ${eventId}`,
  ...(attempts.length > 0 && attempts.length < MOST_KEPT ? [`X-Delivery-Attempt: ${attempts.length}`] : []),
  ...(sequence === null ? [] : [`X-Delivery-Sequence: ${sequence}`]),
];

/** A delivery with its headers and its body, and the answer to each attempt. */
export const DeliveryDialog = (props: { readonly delivery: Delivery; readonly onClose: () => void }) => {
  const { delivery, onClose } = props;
  const me = useMe();
  const path = { id: delivery.eventId };
  const read = me.merchant ? call('getEvent', { path }) : call('getEventAsOperator', { path });
  return (
    <Dialog title={tEvent(delivery.event)} isWide onClose={onClose}>
      <Facts
        rows={[
          [t('Event'), delivery.event],
          [t('Address'), delivery.url],
          [t('Status'), <Status key="status" status={delivery.status} />],
          [t('Sequence'), delivery.sequence],
          [t('Id'), delivery.id],
        ]}
      />
      <h3>{t('Headers')}</h3>
      <pre tabIndex={0}>{headersOf(delivery).join('\n')}</pre>
      <h3>{t('Body')}</h3>
      <Loaded of={useRead(read)} lines={3}>
        {({ body }) => (
          <>
            <pre tabIndex={0}>{pretty(body)}</pre>
            <details>
              <summary>{t('Bytes sent')}</summary>
              <pre tabIndex={0} className="bytes">
                {body}
              </pre>
              <CopyButton text={body} label={t('Copy')} />
            </details>
          </>
        )}
      </Loaded>
      <h3>{t('Attempts')}</h3>
      <ol>
        {delivery.attempts.map((attempt) => (
          <li key={attempt.at}>
            <When at={attempt.at} /> · {answerOf(attempt)} · {formatNumber(attempt.durationMs)} ms
            {attempt.response && <pre tabIndex={0}>{pretty(attempt.response)}</pre>}
          </li>
        ))}
      </ol>
      {delivery.attempts.length > 1 && <Difference attempts={delivery.attempts} />}
      <footer>
        <ApiMenuOf calls={[read]} />
      </footer>
    </Dialog>
  );
};

const asText = (attempt: Attempt): string =>
  [answerOf(attempt), ...(attempt.response ? [pretty(attempt.response)] : [])].join('\n');

/** Two attempts beside each other, by default the last two. */
const Difference = ({ attempts }: { readonly attempts: readonly Attempt[] }) => {
  const [chosen, setChosen] = useState([String(attempts.length - 2), String(attempts.length - 1)]);
  const [first, second] = chosen.map((place) => attempts[Number(place)]);
  if (!first || !second) return null;
  const options = attempts.map((attempt, index) => ({
    value: String(index),
    label: `${formatNumber(index + 1)}: ${formatMoment(attempt.at)}, ${answerOf(attempt)}`,
  }));
  const choose = (place: number) => (value: string) =>
    setChosen(chosen.map((one, index) => (index === place ? value : one)));
  const lines = diffLines(asText(first), asText(second));
  return (
    <section aria-label={t('Difference between two attempts')}>
      <h3>{t('Difference between two attempts')}</h3>
      <div className="row">
        <Select
          label={t('Before')}
          name="before"
          value={chosen[0] ?? ''}
          onText={choose(0)}
          options={options}
        />
        <Select
          label={t('After')}
          name="after"
          value={chosen[1] ?? ''}
          onText={choose(1)}
          options={options}
        />
      </div>
      {lines.every(({ kind }) => kind === 'same') ? (
        <p>{t('Both were answered the same.')}</p>
      ) : (
        <pre tabIndex={0} className="diff">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of two texts never move
            <Line key={index} line={line} />
          ))}
        </pre>
      )}
      <p className="hint">{t('The bytes that were sent are the same in every attempt.')}</p>
    </section>
  );
};

const Line = ({ line: { kind, text } }: { readonly line: DiffLine }) => {
  if (kind === 'same') return `  ${text}\n`;
  return kind === 'gone' ? <del>{`- ${text}\n`}</del> : <ins>{`+ ${text}\n`}</ins>;
};
