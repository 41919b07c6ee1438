// Parts of a screen that have an address each.
import { Link } from '@tanstack/react-router';
import style from './tabs.module.css';

interface TabsProps {
  label: string;
  tabs: readonly (readonly [path: string, word: string])[];
  /** Filters that all of them have. */
  search?: Readonly<Record<string, string>>;
}

export function Tabs({ label, tabs, search = {} }: TabsProps) {
  return (
    <nav className={style.tabs} aria-label={label}>
      {tabs.map(([path, word]) => (
        <Link
          key={path}
          to={path}
          search={search}
          className={style.tab}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
}
