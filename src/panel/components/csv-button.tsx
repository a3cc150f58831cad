import { useMutation } from '@tanstack/react-query';
import { type Call, download } from '../api.ts';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';

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
  const { page: _, size: __, ...query } = call.input.query ?? {};
  const whole: Call = { ...call, input: { ...call.input, query } };
  const saving = useMutation({
    mutationFn: async () => save(await download(whole, 'text/csv'), `${name}.csv`),
  });
  return (
    <>
      <Button
        label={t('Export CSV')}
        className="quiet"
        disabled={saving.isPending}
        onClick={() => saving.mutate()}
      />
      {saving.error && <Problem error={saving.error} />}
    </>
  );
};
