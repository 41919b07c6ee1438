// The three lists of callbacks, as tabs over each of them.
import { Tabs } from '../kit/tabs';
import { words } from '../strings/language';

export function CallbackTabs() {
  const text = words().callbacks;
  return (
    <Tabs
      label={text.title}
      tabs={[
        ['/callbacks', text.deliveries],
        ['/callbacks/endpoints', text.endpoints],
        ['/callbacks/origins', words().callbackFacts.origins],
      ]}
    />
  );
}
