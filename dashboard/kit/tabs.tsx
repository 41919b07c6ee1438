// Parts of a screen that have an address each.
import { Link } from '@tanstack/react-router';
import style from './tabs.module.css';

export function Tabs({ label, tabs }: { label: string; tabs: readonly (readonly [path: string, word: string])[] }) {
  return (
    <nav className={style.tabs} aria-label={label}>
      {tabs.map(([path, word]) => (
        <Link key={path} to={path} className={style.tab} activeOptions={{ exact: true, includeSearch: false }}>
          {word}
        </Link>
      ))}
    </nav>
  );
}
