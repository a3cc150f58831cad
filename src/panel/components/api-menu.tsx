import { useState } from 'react';
import { asCurl, asTypeScript, type Call, nameOf } from '../api.ts';
import { useShownCalls } from '../shown-calls.tsx';
import { t } from '../words.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

/** A screen's one way to the API: what it shows, for a terminal and a program, and the reference. */
export const ApiMenu = () => <ApiMenuOf calls={useShownCalls()} />;

/** Such a menu for some calls, as the command of a dialog has one. */
export const ApiMenuOf = ({ calls }: { readonly calls: readonly Call[] }) => {
  const [isOpen, setOpen] = useState(false);
  if (calls.length === 0) return null;
  return (
    <details
      className="choice api"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <summary>
        <Icon name="code" /> API
      </summary>
      {isOpen && <Items calls={calls} />}
    </details>
  );
};

const Items = ({ calls }: { readonly calls: readonly Call[] }) => {
  const [chosen, setChosen] = useState(0);
  const call = calls[chosen] ?? calls[0];
  if (!call) return null;
  return (
    <div>
      {calls.length > 1 && (
        <select
          aria-label={t('Request')}
          value={chosen}
          onChange={({ target }) => setChosen(Number(target.value))}
        >
          {calls.map((one, index) => (
            <option key={asCurl(one)} value={index}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      )}
      <pre tabIndex={0}>{asCurl(call)}</pre>
      <CopyButton text={asCurl(call)} label={t('Copy as curl')} />
      <CopyButton text={asTypeScript(call)} label={t('Copy as TypeScript')} />
      <a href={`/docs#${call.operation}`} target="_blank" rel="noreferrer">
        {t('Reference: {name}', { name: nameOf(call) })}
      </a>
    </div>
  );
};
