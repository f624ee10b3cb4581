/** How the platforms' cards look. */
export const cardStyle = `
.origin { margin: 0; padding: 8px 14px; background: var(--ground); border-bottom: 1px solid var(--line); line-height: 1; }
.badge { padding: 2px 9px; border-radius: 99px; color: #fff; background: #475467; font-size: .75rem; font-weight: 600; }
.facebook .badge { background: #1666d8; } .google_business .badge { background: #1a7340; } .instagram .badge { background: #b3267f; } .linkedin .badge { background: #0a66c2; } .pinterest .badge { background: #c31220; } .tiktok .badge { background: #0b7285; } .x .badge { background: #111; border: 1px solid var(--line); } .youtube .badge { background: #c00; }
.card h2 { margin: 0; padding: 10px 14px 2px; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere; }
.card .text { padding: 4px 14px 12px; }
.card .text a, .names a { text-decoration: none; } .card .text a:hover { text-decoration: underline; }
.card .title { margin: 0; padding: 8px 14px; font-weight: 600; overflow-wrap: anywhere; }
.card .note { margin: 0; padding: 0 14px 8px; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
.avatar { flex: none; display: inline-grid; place-items: center; width: 40px; height: 40px; border-radius: 50%; color: #fff; background: #475467; font-weight: 700; }
.facebook .avatar { background: #1666d8; } .google_business .avatar { background: #1a7340; } .linkedin .avatar { background: #0a66c2; border-radius: 6px; } .pinterest .avatar { background: #c31220; } .tiktok .avatar { background: #0b7285; } .x .avatar { background: #536471; } .youtube .avatar { background: #c00; } .instagram .avatar { background: linear-gradient(45deg, #f09433, #dc2743 50%, #bc1888); }
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
.instagram header { padding: 9px 14px; } .instagram .actions { justify-content: start; gap: 16px; border: 0; padding: 8px 0 2px; font-size: 1.15rem; } .instagram .avatar { width: 32px; height: 32px; } .instagram .user { color: inherit; font-weight: 600; }
.beside { display: flex; gap: 10px; padding: 12px 14px 4px; } .beside .post { flex: 1; min-width: 0; } .beside .text, .beside .note { padding: 2px 0 10px; } .beside .avatar { width: 38px; height: 38px; } .names { margin: 0; line-height: 1.35; } .names span { color: var(--soft); overflow-wrap: anywhere; }
.x .media { overflow: hidden; border: 1px solid var(--line); border-radius: 16px; } .x .actions { margin: 4px 0 0; border: 0; font-size: 1rem; } .x .poll { margin: 0 0 4px; }
.card .screen { position: relative; color: #fff; background: #000; } .screen a { color: #fff; font-weight: 600; } .screen .media { background: #000; } .screen .nothing { color: #aaa; background: #161823; }
.screen .over { position: absolute; inset: auto 0 0; padding: 56px 64px 14px 14px; background: linear-gradient(transparent, rgb(0 0 0 / .8)); text-shadow: 0 1px 2px #000; pointer-events: none; } .screen .over a { pointer-events: auto; } .screen .over .text { max-height: 9em; padding: 4px 0 6px; overflow: hidden; } .screen .sound { font-size: .82rem; }
.screen:has(video) .over { bottom: 54px; background: none; }
.screen .side { position: absolute; right: 10px; bottom: 90px; display: grid; gap: 12px; justify-items: center; font-size: 1.5rem; line-height: 1; text-shadow: 0 1px 3px #000; pointer-events: none; } .screen .side .avatar { font-size: 1rem; border: 2px solid #fff; }
.screen .draft { position: absolute; top: 12px; left: 12px; padding: 3px 10px; border-radius: 6px; color: #161823; background: #fff; font-size: .85rem; font-weight: 700; }
.pin { position: relative; margin: 12px 12px 0; overflow: hidden; border-radius: 16px; } .pin .media.as-is > * { height: auto; max-height: 640px; }
.pin .save { position: absolute; top: 10px; right: 10px; padding: 7px 14px; border-radius: 99px; color: #fff; background: #c31220; font-weight: 700; font-size: .88rem; pointer-events: none; }
.pin .visit { position: absolute; left: 10px; top: 10px; max-width: calc(100% - 100px); padding: 7px 12px; border-radius: 99px; overflow: hidden; color: #111; background: rgb(255 255 255 / .92); font-size: .82rem; font-weight: 600; text-decoration: none; text-overflow: ellipsis; white-space: nowrap; }
.board { display: flex; gap: 8px; align-items: center; margin: 0; padding: 6px 14px 12px; font-size: .88rem; } .board .avatar { width: 28px; height: 28px; font-size: .8rem; }
.youtube .short { padding: 1px 7px; border-radius: 6px; color: #fff; background: #c00; font-size: .7rem; vertical-align: 2px; } .described { margin: 0 14px 12px; padding: 10px 12px; border-radius: 12px; background: var(--ground); font-size: .9rem; } .described .text { padding: 4px 0 0; }
.as-tiktok + .chosen { padding-top: 10px; } .google_business .media + .text { padding-top: 10px; }
.event { padding: 2px 0 4px; } .event p { margin: 0; padding: 0 14px; color: var(--soft); font-size: .9rem; } .offer { margin: 0 14px 12px; padding: 12px 14px 4px; border: 2px dashed var(--line); border-radius: 10px; } .offer .note { padding: 8px 0; } .coupon { margin: 0 0 10px; overflow-wrap: anywhere; }
.button { margin: 0; padding: 0 14px 14px; } .action { display: inline-block; padding: 8px 20px; border-radius: 99px; color: var(--paper); background: var(--accent); font-weight: 600; text-decoration: none; }
.page .card { margin: 0; box-shadow: none; } .page .card .text { font-size: 1rem; } .page .card .comments { margin: 4px 14px 14px; } .page .card .chosen { margin-inline: 14px; padding-inline: 12px; } .page .card .chosen { padding: 8px 0 12px; }
`;
