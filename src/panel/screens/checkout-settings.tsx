import { useState } from 'react';
import type { Schemas } from '../../client/client.ts';
import { call } from '../api.ts';
import { Button } from '../components/button.tsx';
import { CommandDialog } from '../components/command-dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { ScreenHead } from '../components/list-screen.tsx';
import { Panel } from '../components/loaded.tsx';
import { bodyOf, type Chosen, UploadField } from '../components/upload-field.tsx';
import { useFields } from '../components/use-fields.tsx';
import { useMe } from '../session.tsx';
import { t } from '../words.ts';
import { checkoutTabs } from './checkout/tabs.ts';

type Settings = Schemas['CheckoutSettings'];
type Dialogs = 'change' | 'logo' | 'remove';

/** The look of a merchant's pages for payers, and the things that these may do. */
const CheckoutSettings = () => {
  const me = useMe();
  const [open, setOpen] = useState<Dialogs | null>(null);
  const close = (): void => setOpen(null);
  const button = (kind: Dialogs, label: string) => <Button label={label} onClick={() => setOpen(kind)} />;
  return (
    <>
      <ScreenHead title={t('Appearance')} tabs={checkoutTabs(me)} />
      <p>{t('Payers see this on the pages of checkout, payment links and subscriptions.')}</p>
      <Panel title={t('Pages for payers')} call={call('getCheckoutSettings')} lines={4}>
        {(settings) => (
          <>
            <SettingFacts settings={settings} legalName={me.merchant?.legalName ?? ''} />
            <p>
              {button('change', t('Change'))}
              {button('logo', t('Set logo'))}
              {settings.logo && button('remove', t('Remove logo'))}
            </p>
            {open === 'change' && <ChangeDialog settings={settings} onClose={close} />}
            {open === 'logo' && <LogoDialog onClose={close} />}
            {open === 'remove' && <RemoveDialog onClose={close} />}
          </>
        )}
      </Panel>
    </>
  );
};
export default CheckoutSettings;

const SettingFacts = ({
  settings,
  legalName,
}: {
  readonly settings: Settings;
  readonly legalName: string;
}) => {
  const { name, accent, website, logo, cardOrigins, portalCancel, subscriptionHour } = settings;
  return (
    <Facts
      rows={[
        [t('Name'), name ?? legalName],
        [t('Logo'), logo && <img className="logo" src={logo} alt={t('Logo')} />],
        [t('Colour'), accent],
        [t('Website'), website],
        [t('Sites that may show card fields'), cardOrigins.join(', ')],
        [t('Payers may end a subscription'), portalCancel ? t('Yes') : t('No')],
        [t('Hour at which subscriptions are charged'), String(subscriptionHour)],
      ]}
    />
  );
};

/** A text as the API takes it: nothing stands for the default. */
const orDefault = (text: string): string | null => (text.trim() === '' ? null : text);

const MEMBERS = ['name', 'accent', 'website', 'cardOrigins', 'portalCancel', 'subscriptionHour'] as const;

const ChangeDialog = ({
  settings,
  onClose,
}: {
  readonly settings: Settings;
  readonly onClose: () => void;
}) => {
  const former = {
    name: settings.name ?? '',
    accent: settings.accent ?? '',
    website: settings.website ?? '',
    cardOrigins: settings.cardOrigins.join('\n'),
    portalCancel: String(settings.portalCancel),
    subscriptionHour: String(settings.subscriptionHour),
  };
  const { values, field, area, select } = useFields(former);
  const all = {
    name: orDefault(values.name),
    accent: orDefault(values.accent),
    website: orDefault(values.website),
    cardOrigins: values.cardOrigins.split(/\s+/).filter(Boolean),
    portalCancel: values.portalCancel === 'true',
    subscriptionHour: Number(values.subscriptionHour),
  };
  // A member that stays as it is keeps following the gateway's default.
  const isChanged = (member: keyof typeof former): boolean => values[member] !== former[member];
  const body = Object.fromEntries(MEMBERS.filter(isChanged).map((member) => [member, all[member]]));
  return (
    <CommandDialog
      title={t('Change appearance')}
      call={call('updateCheckoutSettings', { body })}
      isIncomplete={!MEMBERS.some(isChanged)}
      onClose={onClose}
    >
      {field('name', t('Name'), { maxLength: 60, hint: t('The legal name where this is empty.') })}
      {field('accent', t('Colour'), {
        maxLength: 7,
        hint: t('Such as #7c3a16; the usual one where this is empty.'),
      })}
      {field('website', t('Website'), {
        type: 'url',
        maxLength: 2048,
        hint: t('Such as https://shop.example.com. A page on which nobody can pay any more leads there.'),
      })}
      {area('cardOrigins', t('Sites that may show card fields'))}
      {select('portalCancel', t('Payers may end a subscription'), [
        { value: 'true', label: t('Yes') },
        { value: 'false', label: t('No') },
      ])}
      {field('subscriptionHour', t('Hour at which subscriptions are charged'), {
        type: 'number',
        min: 0,
        max: 23,
        required: true,
      })}
    </CommandDialog>
  );
};

const LogoDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [chosen, setChosen] = useState<Chosen>(null);
  const { content } = bodyOf(chosen);
  return (
    <CommandDialog
      title={t('Set logo')}
      call={call('putCheckoutLogo', { body: { content } })}
      isIncomplete={chosen === null || chosen === 'reading'}
      onClose={onClose}
    >
      <p>{t('A PNG or JPEG of at most 15 kB. Pages show it 40 pixels high.')}</p>
      <UploadField onChosen={setChosen} accept=".png,.jpg,.jpeg" />
    </CommandDialog>
  );
};

const RemoveDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <CommandDialog title={t('Remove logo')} isDestructive call={call('removeCheckoutLogo')} onClose={onClose}>
    <p>{t('Pages show the first letter of the name.')}</p>
  </CommandDialog>
);
