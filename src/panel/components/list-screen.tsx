import { type ComponentType, type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useTitle } from '../use-title.ts';
import { ApiMenu } from './api-menu.tsx';
import { Button } from './button.tsx';
import { DataTable, type Listed } from './data-table.tsx';
import { Tabs } from './tabs.tsx';

/** Ends a dialog. */
type Closing = { readonly onClose: () => void };

type Heading = {
  readonly title: string;
  readonly tabs?: Parameters<typeof Tabs>[0]['tabs'];
  /** Adds a record by a dialog, where the caller may. */
  readonly add?: { readonly label: string; readonly dialog: ComponentType<Closing> } | false;
  /** Explains what is listed. */
  readonly intro?: string;
};

/** The head of a screen with what can be done there. */
export const ScreenHead = ({ title, tabs, add, intro }: Heading) => {
  useTitle(title);
  const [params, setParams] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  // The command palette leads to a screen whose dialog is open.
  const isAsked = params.has('add');
  const close = (): void => {
    setAdding(false);
    if (!isAsked) return;
    const next = new URLSearchParams(params);
    next.delete('add');
    setParams(next, { replace: true });
  };
  return (
    <>
      <div className="heading">
        <h1>{title}</h1>
        <span className="space" />
        <ApiMenu />
        {add && <Button label={add.label} className="primary" onClick={() => setAdding(true)} />}
        {add && (isAdding || isAsked) && <add.dialog onClose={close} />}
      </div>
      {tabs && <Tabs tabs={tabs} />}
      {intro && <p>{intro}</p>}
    </>
  );
};

/** A screen that is one list; `children` are its dialogs and what stands above the list. */
export const ListScreen = <Row extends { readonly id: string }>(
  props: Heading &
    Omit<Listed<Row>, 'caption'> & { readonly above?: ReactNode; readonly children?: ReactNode },
) => {
  const { title, tabs, add, intro, above, children, ...table } = props;
  return (
    <>
      <ScreenHead
        title={title}
        {...(tabs ? { tabs } : {})}
        {...(add ? { add } : {})}
        {...(intro ? { intro } : {})}
      />
      {above}
      <DataTable {...table} caption={title} />
      {children}
    </>
  );
};
