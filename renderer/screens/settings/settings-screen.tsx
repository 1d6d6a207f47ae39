// Owns the Settings screen: its groups and the way to each. Never holds a setting.

import { About } from './about.tsx';
import { AppearanceSettings } from './appearance-settings.tsx';
import { KnowledgebaseList } from './knowledgebase-list.tsx';
import { KnowledgebaseSettings } from './knowledgebase-settings.tsx';
import { ListenerSettings } from './listener-settings.tsx';
import { ModelStoreSettings } from './model-store-settings.tsx';
import './settings.css';
import { TokenList } from './token-list.tsx';

const GROUPS = [
  ['knowledgebases', 'Knowledgebases'],
  ['this', 'This knowledgebase'],
  ['model', 'Model store'],
  ['tokens', 'Tokens'],
  ['listener', 'Listener'],
  ['appearance', 'Appearance'],
  ['about', 'About'],
] as const;

const goTo = (group: string): void => {
  document.getElementById(`settings-${group}`)?.scrollIntoView({ block: 'start' });
  document.getElementById(`settings-${group}-title`)?.focus({ preventScroll: true });
};

/** The screen. */
export const SettingsScreen = ({ knowledgebase }: { knowledgebase: string }) => (
  <>
    <header className="head">
      <h1 className="head-title">Settings</h1>
    </header>
    <div className="settings-page">
      <nav className="settings-nav" aria-label="Settings">
        {GROUPS.map(([group, title]) => (
          <button key={group} type="button" onClick={() => goTo(group)}>
            {title}
          </button>
        ))}
      </nav>
      <div className="settings-groups">
        <KnowledgebaseList knowledgebase={knowledgebase} />
        <KnowledgebaseSettings knowledgebase={knowledgebase} />
        <ModelStoreSettings key={knowledgebase} knowledgebase={knowledgebase} />
        <TokenList knowledgebase={knowledgebase} />
        <ListenerSettings knowledgebase={knowledgebase} />
        <AppearanceSettings />
        <About />
      </div>
    </div>
  </>
);
