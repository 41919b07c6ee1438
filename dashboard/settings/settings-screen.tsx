// How the dashboard looks to this person: language, zone, colours, density.
import { Field } from '../kit/form';
import { useChangePreferences, usePreferences } from '../shell/preferences';
import { Screen } from '../shell/shell';
import { screenLanguages, words } from '../strings/language';
import style from './settings.module.css';

export function SettingsScreen() {
  const text = words().settings;
  const { preferences } = usePreferences();
  const change = useChangePreferences();
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return (
    <Screen title={text.title} isPadded>
      <div className={style.form}>
        <Field label={text.language} hint={text.languageHint}>
          {(field) => (
            <select
              {...field}
              value={preferences.language}
              onChange={({ target }) => change({ language: target.value as typeof preferences.language })}
            >
              {Object.entries(screenLanguages).map(([code, name]) => (
                <option key={code} value={code} lang={code}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={text.zone} hint={text.zoneHint}>
          {(field) => (
            <select
              {...field}
              value={preferences.timeZone}
              onChange={({ target }) => change({ timeZone: target.value })}
            >
              {zones.map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </select>
          )}
        </Field>
        <Choice
          title={text.theme}
          options={[
            ['system', words().person.system],
            ['light', words().person.light],
            ['dark', words().person.dark],
          ]}
          value={preferences.theme}
          onChange={(theme) => change({ theme })}
        />
        <Choice
          title={text.density}
          options={[
            ['compact', text.compact],
            ['comfortable', text.comfortable],
          ]}
          value={preferences.density}
          onChange={(density) => change({ density })}
        />
      </div>
    </Screen>
  );
}

interface ChoiceProps<Value extends string> {
  title: string;
  options: readonly (readonly [Value, string])[];
  value: Value;
  onChange(value: Value): void;
}

function Choice<Value extends string>({ title, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={style.choice}>
      <legend>{title}</legend>
      {options.map(([each, word]) => (
        <label key={each} className={style.option}>
          <input type="radio" name={title} checked={each === value} onChange={() => onChange(each)} />
          {word}
        </label>
      ))}
    </fieldset>
  );
}
