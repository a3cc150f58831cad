import { useState } from 'react';
import { type Call, download } from '../api.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';

/** Hands a file to the browser. */
export const save = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
};

/** Saves what a list or report shows as CSV, every page of it. */
export const CsvButton = ({ call, name }: { readonly call: Call; readonly name: string }) => {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const { page: _, size: __, ...query } = call.input.query ?? {};
  const whole: Call = { ...call, input: { ...call.input, query } };
  return (
    <Button
      label={state === 'failed' ? t('Export failed: try again') : t('Export CSV')}
      className="quiet"
      disabled={state === 'busy'}
      onClick={async () => {
        setState('busy');
        try {
          save(await download(whole, 'text/csv'), `${name}.csv`);
          setState('idle');
        } catch {
          setState('failed');
        }
      }}
    />
  );
};
