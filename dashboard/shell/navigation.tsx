// The way around: at the side on a desktop, at the bottom on a phone.
import { Link } from '@tanstack/react-router';
import { Menu, Search } from 'lucide-react';
import { Fragment } from 'react';
import { words } from '../strings/language';
import { ConnectionState } from './connection-state';
import { PersonMenu } from './person-menu';
import { type Place, places } from './places';
import style from './shell.module.css';
import { paletteKeys } from './shortcuts';

const groups = ['work', 'platform', 'control'] as const;
/** As many as a thumb reaches. */
const onPhones = ['/', '/payments', '/onboarding', '/callbacks'];

export function Navigation({ rights, onSearch }: { rights: readonly string[]; onSearch(): void }) {
  const seen = places.filter(({ right, isTab }) => !isTab && (right === undefined || rights.includes(right)));
  return (
    <nav className={style.side} aria-label={words().navigation.label}>
      <Link to="/" className={style.brand}>
        <img src="/icon.svg" alt="" />
        {words().product}
      </Link>
      <button type="button" className={style.searchButton} onClick={onSearch}>
        <Search aria-hidden />
        <span className="ellipsis">{words().searchShort}</span>
        <kbd>{paletteKeys.join(paletteKeys[0] === '⌘' ? '' : ' ')}</kbd>
      </button>
      {groups.map((group, index) => {
        const own = seen.filter((place) => place.group === group);
        return (
          <Fragment key={group}>
            {index > 0 && own.length > 0 ? <div className={style.group}>{words().navigation.groups[group]}</div> : null}
            {own.map((place) => (
              <PlaceLink key={place.path} place={place} />
            ))}
          </Fragment>
        );
      })}
      <div className={style.foot}>
        <ConnectionState />
        <PersonMenu />
      </div>
    </nav>
  );
}

export function BottomBar({ rights, onSearch }: { rights: readonly string[]; onSearch(): void }) {
  const seen = places.filter(({ path, right }) => onPhones.includes(path) && (!right || rights.includes(right)));
  return (
    <nav className={style.bottom} aria-label={words().navigation.label}>
      {seen.map((place) => (
        <PlaceLink key={place.path} place={place} />
      ))}
      <button type="button" className={style.link} onClick={onSearch}>
        <Menu aria-hidden />
        {words().more}
      </button>
    </nav>
  );
}

function PlaceLink({ place: { path, word, icon: Icon } }: { place: Place }) {
  return (
    <Link to={path} className={style.link} activeOptions={{ exact: path === '/' }}>
      <Icon aria-hidden />
      {words().navigation[word]}
    </Link>
  );
}
