import { platforms } from '../platforms/registry.ts';

/** CSS rules that the platforms' cards share, and those of each. */
export const cardStyle = `
.origin { margin: 0; padding: 8px 14px; background: var(--ground); border-bottom: 1px solid var(--line); line-height: 1; }
.badge { padding: 2px 9px; border-radius: 99px; color: #fff; background: #475467; font-size: .75rem; font-weight: 600; }
.card h2 { margin: 0; padding: 10px 14px 2px; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere; }
.card .text { padding: 4px 14px 12px; }
.card .text a, .names a { text-decoration: none; } .card .text a:hover { text-decoration: underline; }
.card .title { margin: 0; padding: 8px 14px; font-weight: 600; overflow-wrap: anywhere; }
.card .note { margin: 0; padding: 0 14px 8px; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.avatar { flex: none; display: inline-grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; color: #fff; background: #475467; font-weight: 700; }
.who strong, .names strong { overflow-wrap: anywhere; }
.actions { display: flex; justify-content: space-around; gap: 8px; margin: 0 14px; padding: 7px 0; border-top: 1px solid var(--line); color: var(--soft); font-size: .85rem; font-weight: 600; }
.media { display: grid; gap: 2px; background: var(--line); }
.media img, .media video { display: block; width: 100%; height: 100%; object-fit: cover; background: #000; }
.media .nothing { display: grid; place-items: center; height: 100%; min-height: 120px; padding: 30px 14px; text-align: center; color: var(--soft); background: var(--ground); overflow-wrap: anywhere; }
.media.grid.n1 > * { max-height: 440px; }
.media.grid.n2, .media.grid.n3, .media.grid.n4 { grid-template-columns: 1fr 1fr; }
.media.grid.n2 > *, .media.grid.n3 > *, .media.grid.n4 > * { aspect-ratio: 1; min-height: 0; }
.media.grid.n3 > :first-child { grid-column: span 2; aspect-ratio: 2; }
.media.square > * { aspect-ratio: 1; } .media.four-five > * { aspect-ratio: 4 / 5; } .media.four-three > * { aspect-ratio: 4 / 3; } .media.wide > * { aspect-ratio: 16 / 9; } .media.tall > * { aspect-ratio: 9 / 16; max-height: 620px; }
.media.wide video, .media.wide img { object-fit: contain; }
.media.tall { justify-items: center; background: #000; } .media.tall > * { width: auto; max-width: 100%; min-height: 420px; }
.media.strip { grid-template-columns: none; grid-auto-flow: column; grid-auto-columns: 100%; justify-items: stretch; overflow-x: auto; scroll-snap-type: x mandatory; } .media.strip > * { width: 100%; scroll-snap-align: start; }
.dots { margin: 0; padding: 4px 0 0; text-align: center; color: var(--accent); font-size: .8rem; line-height: 1; }
.link-card { display: block; margin: 0 0 2px; padding: 0 0 10px; color: inherit; background: var(--ground); border-block: 1px solid var(--line); text-decoration: none; overflow-wrap: anywhere; }
.link-card > span, .link-card > strong { display: block; padding: 0 14px; } .link-card > .host { padding-top: 8px; color: var(--soft); font-size: .78rem; text-transform: uppercase; } .link-card > span { color: var(--soft); font-size: .88rem; }
.poll { margin: 0 14px 6px; padding: 0; list-style: none; } .poll li { display: flex; gap: 10px; justify-content: space-between; margin: 6px 0; padding: 6px 12px; border-radius: 6px; background: var(--ground); border-left: 8px solid var(--line); overflow-wrap: anywhere; } .poll li span { color: var(--soft); }
.asked { margin: 0 14px 12px; padding: 12px 0 2px; border: 1px solid var(--line); border-radius: 8px; } .asked > strong { display: block; padding: 0 14px; overflow-wrap: anywhere; } .asked .poll li { border: 1px solid var(--accent); border-radius: 99px; background: none; justify-content: center; }
.beside { display: flex; gap: 10px; padding: 12px 14px 4px; } .beside .post { flex: 1; min-width: 0; } .beside .text, .beside .note { padding: 2px 0 10px; } .beside .avatar { width: 38px; height: 38px; } .names { margin: 0; line-height: 1.35; } .names span { color: var(--soft); overflow-wrap: anywhere; }
.described { margin: 0 14px 12px; padding: 10px 12px; border-radius: 12px; background: var(--ground); font-size: .9rem; } .described .text { padding: 4px 0 0; }
.button { margin: 0; padding: 0 14px 14px; } .action { display: inline-block; padding: 8px 20px; border-radius: 99px; color: var(--paper); background: var(--accent); font-weight: 600; text-decoration: none; }
.page .card { margin: 0; box-shadow: none; } .page .card .text { font-size: 1rem; } .page .card .comments { margin: 4px 14px 14px; } .page .card .chosen { margin-inline: 14px; padding-inline: 12px; } .page .card .chosen { padding: 8px 0 12px; }
${Object.values(platforms)
  .map(({ card }) => card.style)
  .join('\n')}`;
