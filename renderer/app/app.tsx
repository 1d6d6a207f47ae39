// Owns the shell: title bar, side, work, status bar, and what stands above the work when something is wrong.
// Never holds a screen's own state.

import { useEffect, useState } from 'react';
import { bridge } from '../bridge.ts';
import { ActivityScreen } from '../screens/activity/activity-screen.tsx';
import { ModelScreen } from '../screens/model/model-screen.tsx';
import { QueryScreen } from '../screens/query/query-screen.tsx';
import { RejectsScreen } from '../screens/rejects/rejects-screen.tsx';
import { SettingsScreen } from '../screens/settings/settings-screen.tsx';
import { StreamScreen } from '../screens/stream/stream-screen.tsx';
import { StreamsScreen } from '../screens/streams/streams-screen.tsx';
import { Loading } from '../ui/parts.tsx';
import { EngineStrip } from './engine-strip.tsx';
import { FirstKnowledgebase } from './first-knowledgebase.tsx';
import { useShortcuts } from './keys.ts';
import { useEngine, useKnowledgebase, useLivePulses } from './live.ts';
import { newStream, openPalette, Palette } from './palette.tsx';
import { go, type Place, usePlace } from './router.ts';
import './shell.css';
import { ShortcutList } from './shortcut-list.tsx';
import { Side } from './side.tsx';
import { StatusBar } from './status-bar.tsx';
import { TitleBar } from './title-bar.tsx';

/** The window. */
export const App = () => {
  const place = usePlace();
  const { state } = useEngine();
  const { id, isKnown } = useKnowledgebase();
  const [areKeysOpen, setKeysOpen] = useState(false);
  useLivePulses();
  useShortcuts({
    'mod+k': openPalette,
    'mod+,': () => go({ screen: 'settings' }),
    'g s': () => go({ screen: 'streams' }),
    'g r': () => go({ screen: 'rejects', tab: 'open', at: null }),
    'g m': () => go({ screen: 'model', tab: 'graph', type: null }),
    'g q': () => go({ screen: 'query', sql: null }),
    'g a': () => go({ screen: 'activity' }),
    '?': () => setKeysOpen(true),
  });
  useEffect(
    () =>
      bridge?.onCommand((command) => {
        switch (command) {
          case 'palette':
            openPalette();
            break;
          case 'shortcuts':
            setKeysOpen(true);
            break;
          case 'go:streams':
            go({ screen: 'streams' });
            break;
          case 'go:rejects':
            go({ screen: 'rejects', tab: 'open', at: null });
            break;
          case 'go:model':
            go({ screen: 'model', tab: 'graph', type: null });
            break;
          case 'go:query':
            go({ screen: 'query', sql: null });
            break;
          case 'go:activity':
            go({ screen: 'activity' });
            break;
          case 'go:settings':
          case 'about':
            go({ screen: 'settings' });
            break;
          case 'open-knowledgebase':
            go({ screen: 'settings' });
            // The way to open one stands there, and what went wrong with it.
            requestAnimationFrame(() =>
              window.dispatchEvent(new CustomEvent('strata:open-folder')),
            );
            break;
          case 'new-stream':
            newStream();
            break;
          case 'find':
            window.dispatchEvent(new CustomEvent('strata:find'));
            break;
        }
      }),
    [],
  );
  return (
    <div className="shell">
      <TitleBar knowledgebase={id} onSearch={openPalette} />
      <Side place={place} knowledgebase={id} onKeys={() => setKeysOpen(true)} />
      <main className="work">
        <EngineStrip />
        {id === null ? (
          isKnown ? (
            <FirstKnowledgebase />
          ) : state === 'failed' ? null : (
            <Loading>Connecting to the engine</Loading>
          )
        ) : (
          <Screen key={id} place={place} knowledgebase={id} />
        )}
      </main>
      <StatusBar knowledgebase={id} />
      <Palette knowledgebase={id} onKeys={() => setKeysOpen(true)} />
      <ShortcutList isOpen={areKeysOpen} onClose={() => setKeysOpen(false)} />
    </div>
  );
};

const Screen = ({ place, knowledgebase }: { place: Place; knowledgebase: string }) => {
  switch (place.screen) {
    case 'streams':
      return <StreamsScreen knowledgebase={knowledgebase} />;
    case 'stream':
      return (
        <StreamScreen
          key={place.stream}
          knowledgebase={knowledgebase}
          stream={place.stream}
          tab={place.tab}
          at={place.at}
        />
      );
    case 'rejects':
      return <RejectsScreen knowledgebase={knowledgebase} tab={place.tab} at={place.at} />;
    case 'query':
      return <QueryScreen knowledgebase={knowledgebase} sql={place.sql} />;
    case 'model':
      return <ModelScreen knowledgebase={knowledgebase} tab={place.tab} type={place.type} />;
    case 'activity':
      return <ActivityScreen knowledgebase={knowledgebase} />;
    case 'settings':
      return <SettingsScreen knowledgebase={knowledgebase} />;
  }
};
