/** The style of the sandbox's own pages; that of the platforms is in `card-style.ts`. */
export const styleSheet = `
:root { color-scheme: light dark; --paper: #fff; --ground: #f3f4f7; --ink: #1c2230; --soft: #667085; --line: #e3e6ec; --accent: #3559e0; }
@media (prefers-color-scheme: dark) { :root { --paper: #1b2029; --ground: #12151b; --ink: #e8ebf1; --soft: #98a2b3; --line: #2b323f; --accent: #8ea6ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
a { color: var(--accent); }
h1 { margin: 0; font-size: 1.5rem; letter-spacing: -.01em; }
.top { max-width: 1180px; margin: 0 auto; padding: 28px 20px 12px; }
.top p { margin: 4px 0 8px; color: var(--soft); }
.top nav a { margin-right: 14px; font-size: .9rem; }
.timeline main { max-width: 1180px; margin: 0 auto; padding: 8px 20px 40px; columns: 3 300px; column-gap: 18px; }
.card { display: inline-block; width: 100%; margin: 0 0 18px; break-inside: avoid; overflow: hidden; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px rgb(16 24 40 / .05); }
.card header { display: flex; align-items: center; gap: 10px; padding: 12px 14px; }
.who { display: flex; flex-direction: column; min-width: 0; line-height: 1.25; } .who span { color: var(--soft); font-size: .85rem; }
.text { margin: 0; padding: 12px 14px; white-space: pre-wrap; overflow-wrap: anywhere; }
.text:empty { display: none; }
.chosen { display: grid; grid-template-columns: auto 1fr; gap: 0 12px; margin: 0; padding: 0 14px 12px; color: var(--soft); font-size: .85rem; } .chosen dd { margin: 0; overflow-wrap: anywhere; }
.comments { margin: 0 14px 12px; padding: 8px 12px; list-style: none; border-left: 3px solid var(--line); color: var(--soft); overflow-wrap: anywhere; }
.card footer { display: flex; flex-wrap: wrap; gap: 4px 12px; padding: 10px 14px; border-top: 1px solid var(--line); color: var(--soft); font-size: .82rem; }
.card footer a { margin-left: auto; }
.state { font-weight: 600; } .state.failed { color: #d92d20; } .state.processing { color: #b54708; }
.empty, .more { padding: 30px; text-align: center; color: var(--soft); }
.page main { max-width: 560px; margin: 8vh auto; padding: 28px; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; }
.page .tag { margin: 0 0 6px; color: var(--soft); font-size: .85rem; }
.page .text { padding: 14px 0; font-size: 1.05rem; }
.page .chosen { padding: 12px 0; }
.page .comments { margin: 14px 0 0; }
.page select { width: 100%; margin-top: 4px; padding: 8px; font: inherit; }
.inbox .top, .inbox main { max-width: 760px; } .inbox main { margin: 0 auto; padding: 8px 20px 40px; } .inbox .top p { overflow-wrap: anywhere; }
.mails { overflow: hidden; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; }
.mail { display: block; padding: 12px 16px; color: inherit; text-decoration: none; }
.mail + .mail { border-top: 1px solid var(--line); }
.mail:hover, .mail:focus-visible { background: var(--ground); }
.mail .line { display: flex; gap: 12px; } .mail .line strong { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mail time { margin-left: auto; color: var(--soft); font-size: .82rem; white-space: nowrap; }
.mail .to, .mail .gist { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--soft); font-size: .88rem; }
.mail .to { color: var(--ink); }
.rendered { display: block; width: 100%; height: 560px; margin-bottom: 14px; background: #fff; border: 1px solid var(--line); border-radius: 14px; }
.part { margin-bottom: 14px; padding: 10px 16px; background: var(--paper); border: 1px solid var(--line); border-radius: 14px; }
.part summary { cursor: pointer; font-weight: 600; }
.part pre { margin: 10px 0 4px; white-space: pre-wrap; overflow-wrap: anywhere; font: .88rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; }
.part table { margin-top: 8px; font-size: .85rem; border-spacing: 0; } .part th { padding: 2px 14px 2px 0; text-align: left; vertical-align: top; color: var(--soft); font-weight: 500; } .part td { overflow-wrap: anywhere; }
.page input, .inbox input, .inbox select { padding: 8px; font: inherit; max-width: 100%; }
.webhook .gist { display: block; color: var(--soft); font-size: .85rem; font-weight: 400; }
button { padding: 9px 20px; border: 0; border-radius: 8px; background: var(--accent); color: var(--paper); font: inherit; font-weight: 600; cursor: pointer; }
button.plain { background: transparent; color: var(--soft); }
`;
