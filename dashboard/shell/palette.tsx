// The command palette: go to any screen, find anything by what is known of it.
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { CreditCard, Fingerprint, type LucideIcon, Store, UserRoundPlus, Webhook } from 'lucide-react';
import { useState } from 'react';
import { Modal } from '../kit/overlays';
import { words } from '../strings/language';
import { useMerchants } from './merchants';
import { places } from './places';
import style from './shell.module.css';
import { useViewer } from './viewer';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function Palette({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { rights } = useViewer();
  const [text, setText] = useState('');
  const go = (to: string) => {
    onClose();
    void navigate({ to: to as '/' });
  };
  const found = useFound(text.trim());
  return (
    <Modal className={style.palette} label={{ 'aria-label': words().search }} onClose={onClose}>
      <Command label={words().search} loop>
        <Command.Input autoFocus placeholder={words().search} value={text} onValueChange={setText} />
        <Command.List>
          <Command.Empty>{words().palette.nothing}</Command.Empty>
          {found.length > 0 ? (
            <Command.Group heading={words().palette.byId}>
              {found.map(({ to, word, icon: Icon }) => (
                <Command.Item key={to} value={`${text} ${word}`} onSelect={() => go(to)}>
                  <Icon aria-hidden />
                  {word}
                </Command.Item>
              ))}
            </Command.Group>
          ) : null}
          <Command.Group heading={words().palette.go}>
            {places
              .filter(({ right }) => right === undefined || rights.includes(right))
              .map(({ path, word, icon: Icon, key }) => (
                <Command.Item key={path} value={words().navigation[word]} onSelect={() => go(path)}>
                  <Icon aria-hidden />
                  {words().navigation[word]}
                  <span className={style.keys}>
                    <kbd>G</kbd>
                    <kbd>{key.toUpperCase()}</kbd>
                  </span>
                </Command.Item>
              ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Modal>
  );
}

interface Found {
  to: string;
  word: string;
  icon: LucideIcon;
}

/** What the text may be, until the graph has a search of its own: an id of ours, an application's number, a merchant, an order. */
function useFound(text: string): Found[] {
  const { merchants } = useMerchants();
  const say = words().palette;
  if (text === '') return [];
  if (uuid.test(text))
    return [
      { to: `/payments/${text}`, word: say.openPayment, icon: Fingerprint },
      { to: `/callbacks/${text}`, word: say.openCallback, icon: Webhook },
    ];
  const lower = text.toLowerCase();
  const sellers = merchants.filter(
    ({ merchantId, name }) => name.toLowerCase().includes(lower) || merchantId.toLowerCase().includes(lower),
  );
  return [
    ...sellers
      .slice(0, 5)
      .map(({ merchantId, name }) => ({ to: `/merchants/${merchantId}`, word: say.byMerchant(name), icon: Store })),
    ...(/^\d+$/.test(text) ? [{ to: `/onboarding/${text}`, word: say.openApplication, icon: UserRoundPlus }] : []),
    ...(/\d/.test(text)
      ? [{ to: `/payments?orderId=${encodeURIComponent(text)}`, word: say.byOrder(text), icon: CreditCard }]
      : []),
  ];
}
