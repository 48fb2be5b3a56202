"""Public checks of bptt_grad. The cases come first, then recorded answers, then the comparisons."""
import dataclasses
from collections.abc import Mapping
import numpy as np
import difflib
from otter.test_files import test_case

def public__small_network():
    return {'W_aa': np.array([[0.5, -1.0], [0.75, 0.25]]), 'W_ax': np.array([[1.0, 0.0, -0.5], [0.5, -1.0, 0.25]]), 'b_a': np.array([0.1, -0.2]), 'W_ya': np.array([[1.5, -0.5]]), 'b_y': np.array([0.25])}

@test_case(name='stage2_bptt/bptt_grad/one_step', hidden=False)
def one_step(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/one_step', SETTING)
    ask.agrees(np.array([[1.0, -1.0, 0.5]]), np.array([[0.5]]), np.array([0.2, -0.4]), public__small_network())

@test_case(name='stage2_bptt/bptt_grad/three_steps', hidden=False)
def three_steps(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/three_steps', SETTING)
    xs = np.array([[1.0, -1.0, 0.5], [0.0, 0.5, 0.25], [-0.5, 0.25, 1.0]])
    ask.agrees(xs, np.array([[0.5], [-1.0], [1.0]]), np.array([0.2, -0.4]), public__small_network())

@test_case(name='stage2_bptt/bptt_grad/types_and_shapes', hidden=False, success_message='public checks passed; 5 hidden checks run at grading')
def types_and_shapes(env):
    ask = Ask(env, 'stage2_bptt/bptt_grad/types_and_shapes', SETTING)
    xs = np.array([[0.5, -0.25, 1.0], [1.0, 0.5, -0.5]])
    ask.has_types_and_shapes(xs, np.array([[0.25], [1.0]]), np.array([-0.3, 0.6]), public__small_network())

ANSWERS = {
    'stage2_bptt/bptt_grad/one_step': [(0.18654836375631864, {'W_aa': np.array([[0.043251457286233516, -0.08650291457246703], [-0.01154755595554463, 0.02309511191108926]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.21625728643116757, -0.21625728643116757, 0.10812864321558378], [-0.057737779777723146, 0.057737779777723146, -0.028868889888861573]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.21625728643116757, -0.057737779777723146], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))})],
    'stage2_bptt/bptt_grad/three_steps': [(1.8279113002491565, {'W_aa': np.array([[0.8887103616231782, 0.2616577084188812], [0.15003446229254058, 0.6249041338994039]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.6774525546166461, -0.21749600354643403, -0.26337409454029403], [-0.4198827266111002, 0.5279597238430946, 0.5820171824142809]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3870694423807456, 0.8696095181857377], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))})],
    'stage2_bptt/bptt_grad/types_and_shapes': [(0.6473217412671359, {'W_aa': np.array([[0.09142927471660885, -0.44754001416374], [0.038614799263202604, 0.008922282196247506]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6466318971157974, -0.017440578735885434], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))})],
}

HINTS = {
    'stage2_bptt/bptt_grad/three_steps': [('A unit sent its value along several weights on the way forward. Along which weights does blame come back to it, a row of them or a column?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.22580333851679493, -0.3895294025031537], [-0.7127085489268353, -0.295000830531921]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.624985081126077, -0.538240059290085, -0.47621359590268864], [-0.3686816026269043, -0.0226292796419153, 0.3579238046559719]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.4118210895782637, -0.07796511683169427], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The same matrix is at work in every step. How do all those contributions become one gradient?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.07497570020451298, -0.14995140040902596], [-0.03030963280557758, 0.06061926561115516]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.3748785010225649, -0.3748785010225649, 0.18743925051128246], [-0.1515481640278879, 0.1515481640278879, -0.07577408201394395]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3748785010225649, -0.1515481640278879], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('One of your five arrays is treated differently from the others in the loop. Compare the lines.', [(None, (1.8279113002491565, {'W_aa': np.array([[0.8887103616231782, 0.2616577084188812], [0.15003446229254058, 0.6249041338994039]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.6774525546166461, -0.21749600354643403, -0.26337409454029403], [-0.4198827266111002, 0.5279597238430946, 0.5820171824142809]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3870694423807456, 0.8696095181857377], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('A state influences the loss through two routes. Name both, then look for them in your loop.', [(None, (1.8279113002491565, {'W_aa': np.array([[0.7875693198555355, 0.2535868705722173], [-0.44065043057347913, -0.04052617245208928]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.5188313400252487, -0.09858449533761621, -0.3625395550272825], [-0.32607234236093546, 0.0855167229305828, 0.4546060662081898]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.1490288150241892, 0.2661546691112085], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The loss is a sum over all steps. At which steps of the sweep does a new error join in?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.37012519414314526, -0.12592395258300046], [0.369910322295485, 0.7487198579044733]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.43537884858141773, -0.24438211540179772, -0.5188908565032042], [-0.2503941940253751, 0.46485952939611597, 0.7199556177765167]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.39292389943566663, 1.251874727048956], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (1.8279113002491565, {'W_aa': np.array([[1.1391759205926915, -0.37048369047561086], [0.7181113662653938, 1.2862157158114476]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[1.6697546707384907, -1.145544937628237, -0.7224012658880319], [-0.4974926654296956, 0.9359521513465456, 0.8075180056570535]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.07179818377731961, 1.59693117245997], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('To reach the previous state, a gradient passes everything that stands between the two states. Did you leave one function out on the way?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.4238673530979521, -0.40419317709536057], [1.9340313965916711, 2.3330198260159625]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.9858860983384503, -0.8271295567911452, -0.25975732744084545], [-0.20552081702426647, 1.3096037652165637, 1.1872011126878492]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.09310296705673582, 3.0759833296931776], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (1.8279113002491565, {'W_aa': np.array([[0.8137346614186652, 0.41160910882790713], [0.18034409509811816, 0.5642848682882488]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.6774525546166461, -0.21749600354643403, -0.26337409454029403], [-0.4198827266111002, 0.5279597238430946, 0.5820171824142809]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3870694423807456, 0.8696095181857377], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (1.8279113002491565, {'W_aa': np.array([[0.579040136049591, 0.8619180898658773], [-0.8228997604626224, -0.35535595869754744]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.6774525546166461, -0.21749600354643403, -0.26337409454029403], [-0.4198827266111002, 0.5279597238430946, 0.5820171824142809]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3870694423807456, 0.8696095181857377], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Nudge one weight and see how your own loss moves. Do your gradients predict that movement?', [(None, (0.6093037667497189, {'W_aa': np.array([[0.8887103616231782, 0.2616577084188812], [0.15003446229254058, 0.6249041338994039]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.6774525546166461, -0.21749600354643403, -0.26337409454029403], [-0.4198827266111002, 0.5279597238430946, 0.5820171824142809]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.3870694423807456, 0.8696095181857377], dtype='<f8').reshape((2,)), 'W_ya': np.array([[1.8693461366403843, 1.7511452457557686]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.6927109052568114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Read the formula of the loss in the docstring once more. Does a sequence that is twice as long weigh more?', [(None, (0.6093037667497189, {'W_aa': np.array([[0.29623678720772606, 0.08721923613962707], [0.05001148743084686, 0.20830137796646797]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.2258175182055487, -0.07249866784881134, -0.08779136484676468], [-0.13996090887036675, 0.17598657461436487, 0.19400572747142697]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.12902314746024854, 0.2898698393952459], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.6231153788801281, 0.5837150819185896]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.23090363508560383], dtype='<f8').reshape((1,))}), (False, False, False, False))])],
    'stage2_bptt/bptt_grad/types_and_shapes': [('A unit sent its value along several weights on the way forward. Along which weights does blame come back to it, a row of them or a column?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.048000452774484295, -0.3606823702794909], [-0.12082121930939387, 0.32779431934144043]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.062175593080668945, 0.4086057676877122, -1.068146114029782], [0.19556673915106126, -0.2206627077795109, 0.6983318238120733]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.5018691573087155, 0.5140128165061028], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The same matrix is at work in every step. How do all those contributions become one gradient?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.3072449604789525, -0.614489920957905], [-0.03163162784042846, 0.06326325568085692]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.5120749341315876, 0.2560374670657938, -1.0241498682631751], [0.05271937973404743, -0.026359689867023715, 0.10543875946809486]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-1.0241498682631751, 0.10543875946809486], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.6166147315068734, -0.4769985628678693]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-1.078620127150539], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('One of your five arrays is treated differently from the others in the loop. Compare the lines.', [(None, (0.6473217412671359, {'W_aa': np.array([[0.09142927471660885, -0.44754001416374], [0.038614799263202604, 0.008922282196247506]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6466318971157974, -0.017440578735885434], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-1.078620127150539], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('A state influences the loss through two routes. Name both, then look for them in your loop.', [(None, (0.6473217412671359, {'W_aa': np.array([[0.11093831626374569, -0.4865580972580137], [-0.05990510532539613, 0.20596209137344496]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.16707203222943795, 0.4610539872620967, -1.2779389923273201], [0.09403988251106503, -0.1698992794595128, 0.4952781105320808]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.7116620356062535, 0.31095910322611037], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('The loss is a sum over all steps. At which steps of the sweep does a new error join in?', [(None, (0.6473217412671359, {'W_aa': np.array([[-0.23532472730948045, 0.20596798988843862], [0.16876633169222982, -0.2513807826618069]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.4100330403926057, 0.17250145095107483, -0.12372884708323281], [-0.2870791791849782, 0.020660251388508806, -0.26696001286000565]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.4425481096378337, -0.4512790201659761], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.10095296173363182, -0.48672104286837947], [0.05151995227291452, -0.009498624741635785]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.1490738593818578, 0.480771745331981, -1.3137347578663459], [-0.09216619115760744, -0.08733582065003623, 0.149214908256885]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.7043825344047677, -0.05091346608637491], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('To reach the previous state, a gradient passes everything that stands between the two states. Did you leave one function out on the way?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.08350388873153149, -0.4316892421935853], [0.08215352567032737, -0.07815517061800202]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.12134798634241423, 0.43819196431858476, -1.1864909005532727], [-0.14272450248180749, -0.05151708696307656, 0.021749340546335788]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6202139438322061, -0.16256966675963466], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (0.6473217412671359, {'W_aa': np.array([[-0.21581568576234367, 0.16694990679416502], [0.07024642710363106, -0.05434097348460941]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6466318971157974, -0.017440578735885434], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (0.6473217412671359, {'W_aa': np.array([[0.7940444387295648, -0.6669896495053199], [-0.12816376424407788, 0.11630952777374526]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6466318971157974, -0.017440578735885434], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Nudge one weight and see how your own loss moves. Do your gradients predict that movement?', [(None, (0.32366087063356797, {'W_aa': np.array([[0.09142927471660885, -0.44754001416374], [0.038614799263202604, 0.008922282196247506]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.6466318971157974, -0.017440578735885434], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.716374210900228], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Read the formula of the loss in the docstring once more. Does a sequence that is twice as long weigh more?', [(None, (0.32366087063356797, {'W_aa': np.array([[0.04571463735830442, -0.22377000708187], [0.019307399631601302, 0.004461141098123753]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.06727848149210494, 0.22239822631974132, -0.606454426918432], [-0.03507997923496643, -0.04389967948450693, 0.0834392142850425]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([-0.3233159485578987, -0.008720289367942717], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.40837302120091495, -0.3412088561192603]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([-0.358187105450114], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Print the shape of every parameter next to the shape of its gradient. Could you subtract one from the other?', [(None, (0.6473217412671359, {'W_aa': np.array([[0.09142927471660885, -0.44754001416374], [0.038614799263202604, 0.008922282196247506]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[-0.13455696298420988, 0.44479645263948264, -1.212908853836864], [-0.07015995846993286, -0.08779935896901386, 0.166878428570085]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([[-0.6466318971157974], [-0.017440578735885434]], dtype='<f8').reshape((2, 1)), 'W_ya': np.array([[0.8167460424018299, -0.6824177122385205]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([[-0.716374210900228]], dtype='<f8').reshape((1, 1))}), (False, False, False, False))])],
    'stage2_bptt/bptt_grad/one_step': [('Follow the sweep from its very beginning. Where does the first number that is not zero come from?', [(None, (0.18654836375631864, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.0, 0.0], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('Was the state in your list stored before the squashing or after it? What does that mean for the slope?', [(None, (0.18654836375631864, {'W_aa': np.array([[0.09257342278636034, -0.18514684557272068], [-0.02971926417906199, 0.05943852835812398]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.4628671139318017, -0.4628671139318017, 0.23143355696590084], [-0.14859632089530994, 0.14859632089530994, -0.07429816044765497]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.4628671139318017, -0.14859632089530994], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ('What did the recurrent matrix multiply in the very first step?', [(None, (0.18654836375631864, {'W_aa': np.array([[0.0, 0.0], [0.0, 0.0]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.21625728643116757, -0.21625728643116757, 0.10812864321558378], [-0.057737779777723146, 0.057737779777723146, -0.028868889888861573]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.21625728643116757, -0.057737779777723146], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))]), ("A weight's gradient contains what the weight was applied to. Which state did the recurrent matrix see at this step?", [(None, (0.18654836375631864, {'W_aa': np.array([[0.18902039223446798, 0.1947455203787558], [-0.05046589624995712, -0.05199442827516288]], dtype='<f8').reshape((2, 2)), 'W_ax': np.array([[0.21625728643116757, -0.21625728643116757, 0.10812864321558378], [-0.057737779777723146, 0.057737779777723146, -0.028868889888861573]], dtype='<f8').reshape((2, 3)), 'b_a': np.array([0.21625728643116757, -0.057737779777723146], dtype='<f8').reshape((2,)), 'W_ya': np.array([[0.5338861206377403, 0.5500566851941628]], dtype='<f8').reshape((1, 2)), 'b_y': np.array([0.6108164433875674], dtype='<f8').reshape((1,))}), (False, False, False, False))])],
}

class Mismatch(Exception):
    """The first difference found by :func:`compare`: a text key and its fields."""

    def __init__(self, key, /, **fields):
        super().__init__(key)
        self.key = key
        self.fields = fields


class Opaque:
    """A value that is not plain data (a matrix, a masked or object array, any other object), by its type's name."""

    def __init__(self, type_name):
        self.type_name = type_name


def plain(value):
    """Reduce a value to numbers, strings, None, base arrays, lists, tuples and dicts; the rest becomes Opaque."""
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if type(value) is np.ndarray:
        return value if value.dtype.kind in "biufc" else Opaque(f"numpy array of dtype {value.dtype}")
    if isinstance(value, np.ndarray):
        return Opaque(f"{type(value).__module__}.{type(value).__qualname__}")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return tuple(plain(getattr(value, field.name)) for field in dataclasses.fields(value))
    # A value that crossed the border as its type's name stands for that type, not for itself.
    return Opaque(getattr(value, "type_name", None) or type(value).__qualname__)


def copied(value):
    """Copy arrays, lists, tuples and dicts all the way down; functions and scalars are shared."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(copied(item) for item in value)
    return value


def identical(first, second):
    """Whether two arguments are equal bit for bit, types included; functions count as equal to themselves."""
    if type(first) is not type(second):
        return False
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()
    if isinstance(first, dict):
        return list(first) == list(second) and all(identical(first[key], second[key]) for key in first)
    if isinstance(first, (list, tuple)):
        return len(first) == len(second) and all(map(identical, first, second))
    return callable(first) or first == second or (first != first and second != second)


def describe(value):
    """Say what a value is on one line: small ones in full, larger ones by dtype and shape."""
    if isinstance(value, Opaque):
        return f"a {value.type_name}"
    if isinstance(value, np.ndarray):
        kind = f"{value.dtype} {value.shape}".replace(",)", ",)")
        if 0 < value.size <= 6:
            return f"{kind} {np.array2string(value, precision=5, separator=', ', floatmode='maxprec')}".replace("\n", "")
        return kind
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {describe(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        text = "[" + ", ".join(describe(item) for item in value[:6]) + (", ..." if len(value) > 6 else "") + "]"
        return text if isinstance(value, list) else "(" + text[1:-1] + ")"
    if callable(value):
        return "a function"
    if isinstance(value, float):
        return f"{value:.6g}"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def as_array(value, where):
    """Turn a plain answer into a real numeric array, or raise Mismatch. Lists and tuples of rows are converted."""
    if value is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(value, Opaque):
        raise Mismatch("not_plain", where=where, got=value.type_name)
    if isinstance(value, (str, dict)):
        raise Mismatch("wrong_type", where=where, expected="a numpy array", got=type(value).__name__)
    try:
        array = np.asarray(value)
    except (ValueError, TypeError, OverflowError):
        raise Mismatch("ragged", where=where) from None
    if array.dtype.kind not in "biufc":
        raise Mismatch("not_plain", where=where, got=f"{type(value).__name__} of dtype {array.dtype}")
    if array.dtype.kind == "c":
        if np.any(array.imag):
            raise Mismatch("complex_result", where=where)
        array = array.real
    return array


@np.errstate(all="ignore")  # infinities and NaN are answers to judge, not accidents to warn of
def compare_arrays(expected, got, allowed, where, strict):
    """Shape, finiteness, values of one array; `allowed(expected)` gives the permitted absolute error."""
    got = as_array(got, where)
    if expected.dtype.kind == "b" and strict and got.dtype.kind != "b":
        raise Mismatch("wrong_type", where=where, expected="a bool array", got=f"an array of dtype {got.dtype}")
    if expected.dtype.kind in "iu" and strict and got.dtype.kind not in "iu" and got.size:
        raise Mismatch("wrong_type", where=where, expected="integers", got=f"dtype {got.dtype}")
    if got.shape != expected.shape:
        squeezed = tuple(n for n in got.shape if n != 1) == tuple(n for n in expected.shape if n != 1)
        if strict or not squeezed:
            alike = not squeezed and got.size == expected.size and agrees(np.sort(expected, None), np.sort(got, None), allowed)
            raise Mismatch("extra_axis" if squeezed else "wrong_shape", where=where, expected=expected.shape, got=got.shape,
                           remark_key=("remark_right_values", {}) if alike else None)
        got = got.reshape(expected.shape)
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        wrong = expected != got
    else:
        expected, got = expected.astype(float), got.astype(float)
        finite = np.isfinite(expected)
        strange = finite & ~np.isfinite(got)
        if strange.any():
            index = tuple(int(i) for i in np.argwhere(strange)[0])
            raise Mismatch("not_finite", where=where, count=int(strange.sum()), size=expected.size, index=index,
                           got=describe(got[index]), expected=describe(expected[index]))
        wrong = np.where(finite, np.abs(np.where(finite, got - np.where(finite, expected, 0), 0)) > allowed(expected),
                         ~((expected == got) | (np.isnan(expected) & np.isnan(got))))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Mismatch("wrong_value" if expected.shape else "wrong_number", where=where, shape=expected.shape,
                       index=index[0] if len(index) == 1 else index, count=int(wrong.sum()), size=expected.size,
                       expected=describe(expected[index]), got=describe(got[index]),
                       remark_key=resemblance(expected, got, allowed))


def resemblance(expected, got, allowed):
    """Name a familiar way of being wrong: the transpose, or one constant factor everywhere; else None."""
    is_float = expected.dtype.kind == "f"
    expected, got, limit = expected.astype(float), got.astype(float), allowed(expected)
    if expected.ndim == 2 and expected.shape[0] == expected.shape[1] and np.all(np.abs(got.T - expected) <= limit):
        return ("remark_transposed", {})
    scale = float(np.sum(expected * expected))
    factor = float(np.sum(got * expected)) / scale if scale > 0 and is_float else 0.0
    if expected.size > 1 and abs(factor) > 1e-9 and np.all(np.abs(got - factor * expected) <= abs(factor) * limit):
        return ("remark_factor", {"factor": f"{factor:.4g}"})
    return None


def compare(expected, got, allowed, where, strict=False):
    """Compare an answer with the reference's, part by part, and raise Mismatch at the first difference.

    `strict` also demands the contract's exact shapes and integer or bool types; without it a superfluous axis of
    length one is dropped.
    """
    if isinstance(got, Opaque):
        raise Mismatch("not_plain", where=where, got=got.type_name)
    if got is None:
        raise Mismatch("returned_none", where=where)
    if isinstance(expected, tuple):
        if isinstance(got, np.ndarray) and got.ndim:
            got = tuple(got)
        if not isinstance(got, (tuple, list)):
            raise Mismatch("wrong_type", where=where, expected=f"{len(expected)} results", got=type(got).__name__)
        if len(got) != len(expected):
            raise Mismatch("wrong_count", where=where, expected=len(expected), got=len(got))
        try:
            for position, (one, other) in enumerate(zip(expected, got)):
                compare(one, other, allowed, f"{where}[{position}]", strict)
        except Mismatch as mismatch:
            if len(expected) == 2 and agrees(expected[0], got[1], allowed) and agrees(expected[1], got[0], allowed):
                raise Mismatch("swapped", where=where) from None
            raise mismatch
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            raise Mismatch("wrong_type", where=where, expected="a dict", got=type(got).__name__)
        for key in expected:
            if key not in got:
                raise Mismatch("missing_key", where=where, key=repr(key), got=", ".join(map(repr, list(got)[:12])))
        for key in expected:
            compare(expected[key], got[key], allowed, f"{where}[{key!r}]", strict)
    elif isinstance(expected, str):
        if not isinstance(got, str):
            raise Mismatch("wrong_type", where=where, expected="a string", got=type(got).__name__)
        if got != expected:
            raise Mismatch("wrong_number", where=where, expected=repr(expected), got=describe(got), remark_key=None)
    else:
        compare_arrays(np.asarray(expected), got, allowed, where, strict)


def agrees(expected, got, allowed, strict=False):
    """Whether :func:`compare` finds no difference."""
    try:
        compare(expected, got, allowed, "", strict)
    except Mismatch:
        return False
    return True


def same(first, second, allowed):
    """Whether two plain answers, right or wrong, are alike in form and values."""
    if isinstance(first, (tuple, list)) and isinstance(second, (tuple, list)) and len(first) == len(second):
        return all(same(one, other, allowed) for one, other in zip(first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key], allowed) for key in first)
    if any(isinstance(value, (str, dict, Opaque, type(None))) for value in (first, second)):
        return describe(first) == describe(second)
    try:
        if np.iscomplexobj(first) or np.iscomplexobj(second):
            return all(agrees(part(first), part(second), allowed, strict=True) for part in (np.real, np.imag))
        return agrees(np.asarray(first), second, allowed, strict=True)
    except (ValueError, TypeError):  # rows of different lengths
        return describe(first) == describe(second)


class CaseFailed(AssertionError):
    """A property that does not hold; the text is the whole message for the reader. `answers` led to it."""

    answers = ()


class Ask:
    """One case's questions to one learner function.

    `env` maps names to callables (the notebook's namespace, or proxies of it); `case` is `stage/question/name`;
    `setting` holds the seed, the tolerances, the texts, the names of the parameters, the reference, and an `oracle`:
    `oracle(case)(compute)` gives a value that only the reference can give, computed now or recorded earlier.
    """

    def __init__(self, env, case, setting):
        self.case = case
        self.question = case.split("/")[1]
        self.setting = setting
        self._asked = None
        self._answers = []  # (error's class name or None, result, which arguments changed) of every call
        self._oracle = setting["oracle"](case)
        self.function = env.get(self.question)
        if not callable(self.function):
            near = difflib.get_close_matches(self.question, [n for n in env if isinstance(n, str) and callable(env[n])], 1)
            self.fail("misspelt" if near else "missing", near=near[0] if near else "")
        begin_case = getattr(self.function, "begin_case", None)
        if begin_case is not None:
            begin_case(case)

    # --- inputs ------------------------------------------------------------------------------------------------

    def generators(self, count):
        """`count` independent random generators that depend on the course's seed and the case alone."""
        return [np.random.default_rng([self.setting["seed"], *self.case.encode(), i]) for i in range(count)]

    # --- asking ------------------------------------------------------------------------------------------------

    def call(self, *args):
        """The learner's answer on copies of `args`, as plain data; a raised exception fails the case."""
        result, error = self._attempt(args)
        if error is not None:
            kinds, text, line = error
            place = self._text("at_line", line=line) if line else ""
            self.fail("raised", error=f"{kinds[0]}: {text}" if text else kinds[0], place=place)
        return result

    def reference(self, *args):
        """The reference's answer on its own copies of `args`."""
        return self._oracle(lambda: self.setting["reference"](*copied(args)))

    def expected(self, compute):
        """A value computed from the reference by `compute(reference)`; recorded in released cases."""
        return self._oracle(lambda: compute(self.setting["reference"]))

    def agrees(self, *args, tolerance="default", expected=None):
        """Compare the learner's answer with the reference's (or with `expected`); return the learner's answer."""
        return self._agrees(args, tolerance, expected, strict=False)

    def has_types_and_shapes(self, *args, tolerance="default"):
        """The contract's exact types and shapes, on an answer whose values are right as well."""
        self._agrees(args, tolerance, None, strict=True)

    def keeps_arguments(self, *args, tolerance="default"):
        """A right answer that leaves every argument as it was, bit for bit."""
        self.agrees(*args, tolerance=tolerance)
        for name, before, after in zip(self.setting["parameters"], args, self._after):
            if not identical(before, after):
                self.fail("argument_changed", argument=name, change=self._first_change(before, after))

    def keeps_no_state(self, args, other, tolerance="default"):
        """The same answer, and the right one, for the same arguments after a call with `other` arguments."""
        expected = self.reference(*args)
        self._agrees(args, tolerance, expected, strict=False)
        self.agrees(*other, tolerance=tolerance)
        second = self.call(*args)
        try:
            compare(expected, second, self._allowed(tolerance), self._text("the_result"))
        except Mismatch as mismatch:
            self.fail("state_kept", difference=self._mismatch_text(mismatch))

    def refuses(self, *bad, valid, tolerance="default"):
        """A right answer on the `valid` arguments and a ValueError on each of the `bad` ones (a tuple each)."""
        self.agrees(*valid, tolerance=tolerance)
        for args in bad:
            result, error = self._attempt(args)
            if error is None:
                self.fail("bad_input_accepted", got=describe(result))
            kinds, text, _ = error
            if "ValueError" not in kinds:
                self.fail("bad_input_other_error", error=f"{kinds[0]}: {text}" if text else kinds[0])

    def requires(self, condition, key, /, **fields):
        """Fail with the text `key` unless `condition` holds (for properties that no method above covers)."""
        if not condition:
            self.fail(key, **fields)

    def fail(self, key, /, **fields):
        """End the case with a message that stands alone: the property, what was asked, what is wrong."""
        title = self.setting["texts"]["cases"].get(self.case.split("/", 1)[1], self.case.split("/")[-1])
        lines = [self._text("headline", question=self.question, title=title)]
        if self._asked is not None:
            given = ", ".join(f"{name} = {describe(value)}" for name, value in zip(self.setting["parameters"], self._asked))
            lines.append(self._text("asked", call=f"{self.question}({given})"))
        lines.append(self._text(key, question=self.question, **fields))
        known = self.setting.get("hints", {}).get(self.case, ())
        hints = [hint for hint, answers in known if same_answers(answers, self._answers, self._allowed("default"))]
        failure = CaseFailed("\n".join(lines + [self._text("hint", hint=hint) for hint in hints[:1]]))
        failure.answers = self._answers
        raise failure

    # --- inside ------------------------------------------------------------------------------------------------

    def _text(self, key, /, **fields):
        return self.setting["texts"]["checks"][key].format(**fields)

    def _mismatch_text(self, mismatch):
        fields = dict(mismatch.fields)
        remark = fields.pop("remark_key", None)
        text = self._text(mismatch.key, **fields)
        if remark is None:
            return text
        key, remark_fields = remark
        size = _size_named(remark_fields.get("factor"), self.setting["parameters"], self._asked)
        if size is not None:
            key, remark_fields = "remark_factor_of_size", {**remark_fields, "size": size}
        return text + "\n  " + self._text(key, **remark_fields)

    def _attempt(self, args):
        """Call the learner: (plain result, None) or (None, (exception class names, text, line)). A stub ends the case."""
        self._asked = args
        result, error, self._after = attempt(self.function, args)
        self._answers.append((error and error[0][0], result, changes(args, self._after)))
        if error is not None and error[0][0] == "NotImplementedError":
            self.fail("not_attempted")
        if error is not None and error[0][0] in ("timeout", "crashed", "protocol"):
            self.fail(error[0][0], detail=error[1])
        return result, error

    def _agrees(self, args, tolerance, expected, strict):
        if expected is None:
            expected = self.reference(*args)
        answer = self.call(*args)
        try:
            compare(expected, answer, self._allowed(tolerance), self._text("the_result"), strict)
        except Mismatch as mismatch:
            self.fail("mismatch", difference=self._mismatch_text(mismatch))
        return answer

    def _allowed(self, tolerance):
        limits = self.setting["tolerances"]
        if tolerance == "default":
            tolerance = limits["relative"]
        if tolerance == "entrywise":
            return lambda expected: limits["entrywise_relative"] * np.abs(expected) + limits["absolute_floor"]
        if tolerance == "sigmoid":
            return lambda expected: np.full(np.shape(expected), limits["sigmoid_absolute"])

        def scaled(expected):
            finite = np.abs(expected[np.isfinite(expected)])
            return np.full(expected.shape, max(tolerance * finite.max(initial=0.0), limits["absolute_floor"]))
        return scaled

    def _first_change(self, before, after):
        if isinstance(before, dict) and isinstance(after, dict):
            for key in before:
                if key not in after or not identical(before[key], after[key]):
                    inner = self._first_change(before[key], after[key]) if key in after else self._text("removed")
                    return f"[{key!r}] {inner}"
        if isinstance(before, (list, tuple)) and isinstance(after, (list, tuple)) and len(before) == len(after):
            position = next(i for i, (one, other) in enumerate(zip(before, after)) if not identical(one, other))
            return f"[{position}] {self._first_change(before[position], after[position])}"
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and before.shape == after.shape:
            changed = np.argwhere((before != after) & ~((before != before) & (after != after)))
            if len(changed):
                index = tuple(int(i) for i in changed[0])
                return self._text("changed_entry", index=index, before=describe(before[index]), after=describe(after[index]))
        return self._text("changed_value", before=describe(before), after=describe(after))


def attempt(function, args):
    """Call a function on copies: (plain result, error, arguments afterwards); error is (class names, text, line)."""
    passed = copied(args)
    error = result = None
    try:
        result = plain(function(*passed))
    except KeyboardInterrupt:
        raise
    except BaseException as exception:  # SystemExit and friends are answers too, not an end of grading
        error = getattr(exception, "learner_error", None) or _described(exception)
    after = getattr(function, "arguments_after", None)
    return result, error, passed if after is None else after


def changes(before, after):
    """Which arguments a call has changed, as bools."""
    return tuple(not identical(one, other) for one, other in zip(before, after))


def same_answers(first, second, allowed):
    """Whether two sequences of answers (error's class name, result, changed arguments) are alike."""
    return len(first) == len(second) and all(
        one[0] == other[0] and one[2] == other[2] and (one[0] is not None or same(one[1], other[1], allowed))
        for one, other in zip(first, second))


def _size_named(factor, names, args):
    """Say which length among the arguments a factor (as text) is, or is one over; None if it is none of them."""
    for name, value in zip(names, args or ()):
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),) if isinstance(value, list) else ()
        for axis, length in enumerate(shape):
            if length > 1 and factor in (f"{length:.4g}", f"{1 / length:.4g}"):
                return f"{length} = {name}.shape[{axis}]" if isinstance(value, np.ndarray) else f"{length} = len({name})"
    return None


def _described(exception):
    """(class names, text, line in the learner's code) of an exception that was raised in this process."""
    line = exception.__traceback__
    while line is not None and line.tb_next is not None:
        line = line.tb_next
    kinds = [kind.__name__ for kind in type(exception).__mro__]
    try:
        text = str(exception)[:300]
    except Exception:  # a learner's class may not know how to print itself
        text = ""
    return kinds, text, line.tb_lineno if line is not None else None


def computed(case):
    """The oracle where the reference is at hand: compute every value."""
    return lambda compute: compute()


def recorded(answers):
    """The oracle of released cases: the values that were recorded for each case, in the order of asking."""
    def oracle(case):
        remaining = iter(answers[case])
        return lambda compute: next(remaining)
    return oracle

SETTING = {**{'seed': 20260901, 'tolerances': {'relative': 1e-05, 'absolute_floor': 1e-12, 'entrywise_relative': 0.0001, 'sigmoid_absolute': 1e-07, 'gradient_check': 1e-06}, 'texts': {'checks': {'headline': '{question}: {title}', 'asked': '  asked:    {call}', 'the_result': 'the result', 'the_gradient': 'the gradient', 'missing': "  `{question}` is not defined in your notebook. Run the cell that defines it, or restore the function's name.", 'misspelt': '  `{question}` is not defined in your notebook, but `{near}` is. Is the name misspelt?', 'not_attempted': '  `{question}` still raises NotImplementedError: not attempted yet.', 'raised': '  got:      your function raised {error}{place}', 'at_line': ' (line {line} of the code it was in)', 'timeout': '  got:      no answer within {detail}. Look for a loop that never ends.', 'crashed': '  got:      the process that ran your function ended without an answer ({detail}).', 'protocol': '  got:      an answer that cannot be read ({detail}).', 'mismatch': '  {difference}', 'returned_none': 'got:      {where} is None. Is the return line missing, or inside the loop?', 'not_plain': 'got:      {where} is a {got}. Return plain numpy arrays and numbers; np.asarray(...) converts.', 'wrong_type': 'expected: {where} as {expected}\n  got:      {got}', 'ragged': 'got:      {where} cannot be read as an array: its rows differ in length or hold other objects.', 'complex_result': 'got:      {where} has an imaginary part. Expected real numbers.', 'wrong_count': 'expected: {expected} results\n  got:      {got}', 'swapped': 'got:      the two results in the wrong order.', 'missing_key': 'expected: {where} has the key {key}\n  got:      keys {got}', 'wrong_shape': 'expected: {where} has shape {expected}\n  got:      shape {got}', 'extra_axis': 'expected: {where} has shape {expected}\n  got:      shape {got}: an axis of length one too many or too few', 'not_finite': 'got:      {where} has {count} of {size} entries that are not finite; the first at index {index}: {got}, expected {expected}', 'wrong_number': 'expected: {where} is {expected}\n  got:      {got}', 'wrong_value': '{where} of shape {shape} differs in {count} of {size} entries, first at index {index}\n  expected: {expected}\n  got:      {got}', 'remark_transposed': 'note:     your result is the transpose of the expected one.', 'remark_factor': 'note:     every entry is {factor} times the expected one.', 'remark_factor_of_size': 'note:     every entry is {factor} times the expected one ({size}).', 'remark_right_values': 'note:     the values are right, their arrangement is not.', 'hint': '  hint:     {hint}', 'argument_changed': '  got:      the right answer, but the call changed its argument `{argument}`: {change}. Work on a copy.', 'changed_entry': 'at index {index} from {before} to {after}', 'changed_value': 'from {before} to {after}', 'removed': 'removed', 'state_kept': '  got:      another answer at the second identical call. A function keeps nothing between calls.\n  {difference}', 'bad_input_accepted': '  expected: ValueError for this input\n  got:      {got}', 'bad_input_other_error': '  expected: ValueError for this input\n  got:      {error}', 'gradient_differs': '  {array} of shape {shape} disagrees with central differences: error {error}, limit {limit}\n  largest difference at index {index}\n  expected: {expected}\n  got:      {got}'}, 'cases': {'bptt_grad/one_step': 'loss and gradients of a single step', 'bptt_grad/three_steps': 'loss and gradients of three steps', 'bptt_grad/types_and_shapes': "a loss and five gradients, each with its parameter's shape"}}, 'parameters': ['xs', 'targets', 'a0', 'params']}, 'oracle': recorded(ANSWERS), 'hints': HINTS}

OK_FORMAT = False
name = 'bptt_grad'
points = [1.75, 1.75, 1.5]
