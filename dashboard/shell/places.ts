// Where one can go: the screens with their icons and their key after "g".
import {
  Activity,
  ArrowLeftRight,
  BookUser,
  ChartNoAxesCombined,
  CircleCheck,
  CreditCard,
  KeyRound,
  Landmark,
  ListChecks,
  type LucideIcon,
  Scale,
  ScrollText,
  Settings,
  Store,
  UserRoundPlus,
  Webhook,
} from 'lucide-react';
import type { Words } from '../strings/en';

export interface Place {
  path: string;
  word: keyof Omit<Words['navigation'], 'label' | 'groups'>;
  icon: LucideIcon;
  /** Pressed after "g". */
  key: string;
  /** The right without which the screen has nothing to show. */
  right?: string;
  group: 'work' | 'platform' | 'control';
  /** A tab of another screen: found and gone to like that, without a line of its own in the navigation. */
  isTab?: boolean;
}

export const places: readonly Place[] = [
  { path: '/', word: 'overview', icon: ChartNoAxesCombined, key: 'o', group: 'work' },
  { path: '/payments', word: 'payments', icon: CreditCard, key: 'p', right: 'payments:read', group: 'work' },
  { path: '/onboarding', word: 'onboarding', icon: UserRoundPlus, key: 'n', right: 'onboarding:read', group: 'work' },
  { path: '/callbacks', word: 'callbacks', icon: Webhook, key: 'c', right: 'callbacks:read', group: 'work' },
  { path: '/live', word: 'live', icon: Activity, key: 'l', right: 'events:read', group: 'work' },
  { path: '/jobs', word: 'jobs', icon: ListChecks, key: 'j', right: 'jobs:read', group: 'work' },
  { path: '/merchants', word: 'merchants', icon: Store, key: 'm', right: 'merchants:read', group: 'platform' },
  { path: '/payouts', word: 'payouts', icon: Landmark, key: 'y', right: 'ledger:read', group: 'platform' },
  {
    path: '/payouts/balances',
    word: 'balances',
    icon: Scale,
    key: 'b',
    right: 'ledger:read',
    group: 'platform',
    isTab: true,
  },
  {
    path: '/payouts/entries',
    word: 'entries',
    icon: ArrowLeftRight,
    key: 'd',
    right: 'ledger:read',
    group: 'platform',
    isTab: true,
  },
  { path: '/tokens', word: 'tokens', icon: KeyRound, key: 't', right: 'tokens:read', group: 'platform' },
  { path: '/proposals', word: 'proposals', icon: CircleCheck, key: 'r', right: 'proposals:read', group: 'control' },
  { path: '/audit', word: 'audit', icon: ScrollText, key: 'a', right: 'audit:read', group: 'control' },
  { path: '/people', word: 'people', icon: BookUser, key: 'e', right: 'people:read', group: 'control' },
  { path: '/settings', word: 'settings', icon: Settings, key: 's', group: 'control' },
];
