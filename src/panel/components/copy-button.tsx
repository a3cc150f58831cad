import { useState } from 'react';
import { t } from '../words.ts';

/** Copies to the clipboard and says so. */
export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isDone, setDone] = useState(false);
  return (
    <button
      type="button"
      className="quiet"
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setDone(true);
        setTimeout(() => setDone(false), 2_000);
      }}
    >
      <span aria-live="polite">{isDone ? t('Copied') : label}</span>
    </button>
  );
};
