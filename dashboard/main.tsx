// The dashboard in the browser.
import '@fontsource-variable/inter/opsz.css';
import './styles/base.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'urql';
import { client } from './graph/client';
import { router } from './router';
import { PreferencesProvider, restorePreferences } from './shell/preferences';
import { WhenSignedIn } from './shell/signed-in';
import { Toasts } from './shell/toasts';

const place = document.getElementById('dashboard');
if (!place) throw new Error('the page has no place for the dashboard');
await restorePreferences();
createRoot(place).render(
  <StrictMode>
    <PreferencesProvider>
      {(key) => (
        <Provider value={client}>
          <Toasts>
            <WhenSignedIn>
              <RouterProvider key={key} router={router} />
            </WhenSignedIn>
          </Toasts>
        </Provider>
      )}
    </PreferencesProvider>
  </StrictMode>,
);
