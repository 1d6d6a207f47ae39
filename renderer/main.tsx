// Owns starting the window: styles, theme, providers, the app. Never holds a screen.

import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme/figures.css';
import './theme/tokens.css';
import './theme/base.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { z } from 'zod';
import { queryClient } from './api.ts';
import { App } from './app/app.tsx';
import { lookAtFigures } from './theme/figures.ts';
import { theme } from './theme/theme.ts';

// A strict Content-Security-Policy forbids the code that zod would otherwise make at run time.
z.config({ jitless: true });

void lookAtFigures();

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={2} autoClose={6_000} containerWidth={356} />
          <App />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
